#include "client-lib/RuleFile.h"

#include <cstdint>

#include "tests/fuzz/FuzzFile.h"

/** Rule files are written by hand and by scripts: whatever is accepted must decide on any path. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto rules = shift::client::readRuleFile(putFuzzFile(data, size));
  if (rules && rules->decide({.store = "s", .path = "clicks/old/f", .tag = "night"}).reason.empty()) {
    std::abort();
  }
  return 0;
}
