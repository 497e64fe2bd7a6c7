#include "blocks/Checksum.h"

#include <xxhash.h>
#ifdef __x86_64__
#include <xxh_x86dispatch.h>  // the same functions, for the widest vectors that this processor has
#endif

#include <new>

namespace shift {
namespace {

std::uint64_t seedOf(const SegmentKey& key, std::uint32_t offsetInSegment) {
  const std::uint64_t place = (std::uint64_t{key.segment} << 32) | offsetInSegment;
  return key.block.high ^ (key.block.low * 0x9e3779b97f4a7c15ULL) ^ (place * 0xc2b2ae3d27d4eb4fULL);
}

}  // namespace

std::uint64_t checksumOf(const SegmentKey& key, std::uint32_t offsetInSegment,
                         std::span<const std::byte> bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seedOf(key, offsetInSegment));
}

void RunningChecksum::FreeState::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

RunningChecksum::RunningChecksum() : state_(XXH3_createState()) {
  if (!state_) {
    throw std::bad_alloc();
  }
}

void RunningChecksum::begin(const SegmentKey& key, std::uint32_t offsetInSegment) {
  XXH3_64bits_reset_withSeed(state_.get(), seedOf(key, offsetInSegment));
}

void RunningChecksum::add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const {
  return XXH3_64bits_digest(state_.get());
}

}  // namespace shift
