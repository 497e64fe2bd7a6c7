#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "gms/SnapshotFile.h"
#include "gms/store/ChangeCursor.h"

/**
 * What a node finds on its disk after a restart, and the cursors that followers send back. The checksum is
 * put right first, so that what lies behind it is reached. Whatever decodes must encode to something that
 * decodes again.
 */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shift::gms;
  constexpr std::size_t kMark = 8;
  constexpr std::size_t kHeader = kMark + sizeof(std::uint64_t);
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.size() >= kHeader) {
    const std::uint64_t checksum = XXH3_64bits(bytes.data() + kHeader, bytes.size() - kHeader);
    std::memcpy(bytes.data() + kMark, &checksum, sizeof checksum);
  }
  if (const auto snapshot = decodeSnapshot(std::as_bytes(std::span(bytes)))) {
    const std::string written = encodeSnapshot(*snapshot);
    const auto again = decodeSnapshot(std::as_bytes(std::span(written)));
    if (!again || again->jobs.size() != snapshot->jobs.size() || again->revision != snapshot->revision) {
      std::abort();
    }
  }
  if (const auto cursor = decodeCursor(bytes)) {
    if (!(*decodeCursor(encodeCursor(*cursor)) == *cursor)) {
      std::abort();
    }
  }
  return 0;
}
