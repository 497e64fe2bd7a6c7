#pragma once

#include <cstdint>
#include <span>

#include "blocks/BlockId.h"
#include "shift-node/engine/flash/SegmentEntry.h"

namespace shift::node {

/** What the allocator of the C library adds to each piece of memory it hands out. */
inline constexpr std::uint64_t kAllocationOverhead = 16;

/**
 * A block with at least one segment in the index, and its segments: 48 bytes, to which a block of several
 * segments adds an array. A plain value that the index moves about; whoever drops it calls release().
 */
class SegmentGroup {
 public:
  SegmentGroup() : one_() {}
  SegmentGroup(const BlockId& block, const SegmentEntry& first, double score)
      : block_(block), score_(score), one_(first) {}

  const BlockId& block() const { return block_; }
  double score() const { return score_; }
  void setScore(double score) { score_ = score; }
  /** The smallest lastUse of its segments. */
  std::uint64_t coldest() const { return one_.lastUse; }

  /** Sorted by segment. */
  std::span<SegmentEntry> entries() {
    return isMany() ? std::span(many_.entries, many_.count) : std::span(&one_, 1);
  }
  /** The entry, or null. */
  SegmentEntry* find(std::uint32_t segment);
  void add(const SegmentEntry& entry);
  /** Takes one out that is there; not the last. */
  void erase(const SegmentEntry& entry);
  void touch(SegmentEntry& entry, std::uint64_t use);

  /** Memory beyond the group itself. */
  std::uint64_t arrayBytes() const;
  void release();

 private:
  struct Many {
    // The same first two fields as SegmentEntry, so that both can be read whichever is held.
    std::uint64_t isArray : 1;
    std::uint64_t coldest : 45;
    SegmentEntry* entries;
    std::uint32_t count;  // more than one
    std::uint32_t capacity;
  };

  bool isMany() const { return one_.isArray; }
  std::uint32_t lowerBound(std::uint32_t segment);
  void findColdest();
  void resize(std::uint32_t capacity);

  BlockId block_;
  double score_ = 0;
  union {
    SegmentEntry one_;  // a block with a single segment, as every small file is
    Many many_;
  };
};
static_assert(sizeof(SegmentGroup) == 48);

}  // namespace shift::node
