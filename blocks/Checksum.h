#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "blocks/BlockId.h"

struct XXH3_state_s;  // xxHash's own

namespace shift {

/**
 * XXH3 over `bytes`, seeded with the segment's key and the place of the bytes within it (0 for a whole
 * segment). Because of the seed, right bytes in the wrong place do not pass: a misdirected or stale segment
 * is noticed as surely as a flipped bit.
 */
std::uint64_t checksumOf(const SegmentKey& key, std::uint32_t offsetInSegment,
                         std::span<const std::byte> bytes);

/** The same of bytes that come one piece after the other: each is summed up while the processor's cache has
 * it.
 */
class RunningChecksum {
 public:
  RunningChecksum();
  /** Forgets what was added and begins anew. */
  void begin(const SegmentKey& key, std::uint32_t offsetInSegment);
  void add(std::span<const std::byte> bytes);
  /** checksumOf() all that was added since begin(). */
  std::uint64_t value() const;

 private:
  struct FreeState {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, FreeState> state_;
};

}  // namespace shift
