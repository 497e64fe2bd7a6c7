#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "blocks/BlockId.h"

namespace shift {

/**
 * XXH3 over `bytes`, seeded with the segment's key and the place of the bytes within it (0 for a whole
 * segment). Because of the seed, right bytes in the wrong place do not pass: a misdirected or stale segment
 * is noticed as surely as a flipped bit.
 */
std::uint64_t checksumOf(const SegmentKey& key, std::uint32_t offsetInSegment,
                         std::span<const std::byte> bytes);

}  // namespace shift
