#include "blocks/Checksum.h"

#include <xxhash.h>
#ifdef __x86_64__
#include <xxh_x86dispatch.h>  // the same functions, for the widest vectors that this processor has
#endif

namespace shift {

std::uint64_t checksumOf(const SegmentKey& key, std::uint32_t offsetInSegment,
                         std::span<const std::byte> bytes) {
  const std::uint64_t place = (std::uint64_t{key.segment} << 32) | offsetInSegment;
  const std::uint64_t seed =
      key.block.high ^ (key.block.low * 0x9e3779b97f4a7c15ULL) ^ (place * 0xc2b2ae3d27d4eb4fULL);
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace shift
