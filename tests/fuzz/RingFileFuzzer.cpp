#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ring/RingFile.h"

/** Ring files are written by hand and by scripts: whatever is accepted must be written and read back to the
 * same ring. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = [] {
    char pattern[] = "/tmp/shift-fuzz-XXXXXX";
    const int descriptor = ::mkstemp(pattern);
    if (descriptor < 0) {
      std::abort();
    }
    return std::string(pattern);
  }();
  const auto put = [](const void* bytes, std::size_t length) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    std::fwrite(bytes, 1, length, file);
    std::fclose(file);
  };
  put(data, size);
  const auto ring = shift::ring::readRingFile(path);
  if (!ring) {
    return 0;
  }
  const std::string written = shift::ring::formatRingFile(*ring);
  put(written.data(), written.size());
  const auto again = shift::ring::readRingFile(path);
  if (!again || again->members().size() != ring->members().size()) {
    std::abort();
  }
  return 0;
}
