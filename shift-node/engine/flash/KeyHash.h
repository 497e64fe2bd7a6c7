#pragma once

#include <cstdint>

#include "blocks/BlockId.h"

namespace shift::node {

/** All 64 bits of it are good, also for ids that are not hashes: the lower choose a shard, the upper a place.
 */
inline std::uint64_t hashOf(const BlockId& block) {
  std::uint64_t mixed = (block.low ^ (block.high * 0xc2b2ae3d27d4eb4fULL)) + 0x165667b19e3779f9ULL;
  mixed = (mixed ^ (mixed >> 33)) * 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9ULL;
  return mixed ^ (mixed >> 32);
}

}  // namespace shift::node
