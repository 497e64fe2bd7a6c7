#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "client-lib/RuleFile.h"

/** Rule files are written by hand and by scripts: whatever is accepted must decide on any path. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = [] {
    char pattern[] = "/tmp/shift-fuzz-XXXXXX";
    const int descriptor = ::mkstemp(pattern);
    if (descriptor < 0) {
      std::abort();
    }
    return std::string(pattern);
  }();
  std::FILE* file = std::fopen(path.c_str(), "wb");
  std::fwrite(data, 1, size, file);
  std::fclose(file);
  const auto rules = shift::client::readRuleFile(path);
  if (rules && rules->decide({.store = "s", .path = "clicks/old/f", .tag = "night"}).reason.empty()) {
    std::abort();
  }
  return 0;
}
