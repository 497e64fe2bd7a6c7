#pragma once

#include <cstdint>
#include <vector>

#include "blocks/BlockId.h"
#include "shift-node/engine/SegmentRef.h"
#include "shift-node/engine/flash/NumberTable.h"

namespace shift::node {

/**
 * The segments of one shard that are held in memory, the least recently used first to go. It has no size of
 * its own: whoever needs memory takes the oldest out. Not thread-safe; the shard's lock guards it.
 */
class DramTier {
 public:
  /** What is held under the key, which is then the most recently used; empty if nothing. */
  SegmentRef find(const SegmentKey& key, std::uint64_t use);
  bool contains(const SegmentKey& key) const { return placeOf(key) != kNone; }

  /** Replaces nothing: a key that is held stays as it is. */
  void put(const SegmentKey& key, SegmentRef segment, std::uint64_t use);

  /** What is held under the key has passed its check, if it still are these bytes. */
  void markVerified(const SegmentKey& key, const SegmentRef& segment);
  bool holds(const SegmentKey& key, const SegmentRef& segment) const {
    return placeOf(key, segment) != kNone;
  }

  /** Both hand the segment out, so that its memory is given back outside the lock. */
  SegmentRef take(const SegmentKey& key);
  SegmentRef takeOldest();

  /** When the oldest was used last; the largest number if the tier is empty. */
  std::uint64_t oldestUse() const;
  std::vector<SegmentKey> keys() const;
  std::size_t count() const { return held_.size(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint32_t kNone = NumberTable::kNone;

  struct Held {
    SegmentKey key;
    SegmentRef segment;
    std::uint64_t lastUse = 0;
    std::uint32_t older = kNone;
    std::uint32_t newer = kNone;
  };

  std::uint32_t placeOf(const SegmentKey& key) const;
  /** Of just these bytes under the key. */
  std::uint32_t placeOf(const SegmentKey& key, const SegmentRef& segment) const;
  SegmentRef takeAt(std::uint32_t place);
  /** The ends of the order where a neighbour is missing. */
  std::uint32_t& newerThan(std::uint32_t place) { return place == kNone ? oldest_ : held_[place].newer; }
  std::uint32_t& olderThan(std::uint32_t place) { return place == kNone ? newest_ : held_[place].older; }
  void link(std::uint32_t place);
  void unlink(std::uint32_t place);

  std::vector<Held> held_;  // without gaps: the last takes the place of one that leaves
  NumberTable table_;       // places in held_
  std::uint32_t oldest_ = kNone;
  std::uint32_t newest_ = kNone;
  std::uint64_t bytes_ = 0;
};

}  // namespace shift::node
