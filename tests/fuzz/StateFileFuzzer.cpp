#include "shift-node/StateFile.h"

#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/FuzzFile.h"

/** A node reads its state file at every start: whatever is accepted must be written and read back the same.
 */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = putFuzzFile(data, size);
  const auto state = shift::node::loadState(path);
  if (!state) {
    return 0;
  }
  if (!shift::node::saveState(path, *state)) {
    std::abort();
  }
  const auto again = shift::node::loadState(path);
  if (!again || *again != *state) {
    std::abort();
  }
  return 0;
}
