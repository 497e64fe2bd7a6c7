#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

#include "blocks/BlockId.h"
#include "shift-node/engine/SegmentRef.h"

namespace shift::node {

/**
 * The segments of one shard that are held in memory, the least recently used first to go. It has no size of
 * its own: whoever needs memory takes the oldest out. Not thread-safe; the shard's lock guards it.
 */
class DramTier {
 public:
  /** What is held under the key, which is then the most recently used; empty if nothing. */
  SegmentRef find(const SegmentKey& key, std::uint64_t use);
  bool contains(const SegmentKey& key) const { return places_.contains(key); }

  /** Replaces nothing: a key that is held stays as it is. */
  void put(const SegmentKey& key, SegmentRef segment, std::uint64_t use);

  /** Both hand the segment out, so that its memory is given back outside the lock. */
  SegmentRef take(const SegmentKey& key);
  SegmentRef takeOldest();

  /** When the oldest was used last; the largest number if the tier is empty. */
  std::uint64_t oldestUse() const;
  std::size_t count() const { return places_.size(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Held {
    SegmentKey key;
    SegmentRef segment;
    std::uint64_t lastUse = 0;
  };

  SegmentRef takeAt(std::list<Held>::iterator held);

  std::list<Held> order_;  // oldest first
  std::unordered_map<SegmentKey, std::list<Held>::iterator> places_;
  std::uint64_t bytes_ = 0;
};

}  // namespace shift::node
