#pragma once

#include <cstdint>

#include "blocks/BlockId.h"

namespace shift::node {

/** Spreads what differs in any bit over all 64. */
inline std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9ULL;
  return value ^ (value >> 32);
}

/** All 64 bits of it are good, also for ids that are not hashes: the lower choose a shard, the upper a place.
 */
inline std::uint64_t hashOf(const BlockId& block) {
  return mixed((block.low ^ (block.high * 0xc2b2ae3d27d4eb4fULL)) + 0x165667b19e3779f9ULL);
}

inline std::uint64_t hashOf(const SegmentKey& key) {
  return mixed(hashOf(key.block) + key.segment);
}

}  // namespace shift::node
