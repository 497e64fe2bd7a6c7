#include "ring/RingFile.h"

#include <cstdint>

#include "tests/fuzz/FuzzFile.h"

/** Ring files are written by hand and by scripts: whatever is accepted must be written and read back to the
 * same ring. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto ring = shift::ring::readRingFile(putFuzzFile(data, size));
  if (!ring) {
    return 0;
  }
  const std::string written = shift::ring::formatRingFile(*ring);
  const auto again = shift::ring::readRingFile(putFuzzFile(written.data(), written.size()));
  if (!again || again->members().size() != ring->members().size()) {
    std::abort();
  }
  return 0;
}
