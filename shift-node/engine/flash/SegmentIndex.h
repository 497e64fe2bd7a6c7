#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "blocks/BlockId.h"
#include "shift-node/engine/flash/NumberTable.h"
#include "shift-node/engine/flash/SegmentGroup.h"

namespace shift::node {

/**
 * One shard's segments by key, and the order in which they are to be given up: the group with the worst score
 * first and, within it or among groups of equal score, what was used longest ago. Exact, not sampled.
 *
 * Made for tens of millions of segments in little memory: the groups themselves lie in the order of a heap,
 * and a table of 4-byte numbers tells where in it a block is. Four children a group, for they lie side by
 * side in memory and the heap is half as deep as with two. Not thread-safe; the shard's lock guards it.
 */
class SegmentIndex {
 public:
  SegmentIndex() = default;
  ~SegmentIndex();
  SegmentIndex(const SegmentIndex&) = delete;
  SegmentIndex& operator=(const SegmentIndex&) = delete;

  /** The entry, or null. Its lastUse and segment are not to be written; the rest may be. Valid until the
   * index changes in any way. */
  SegmentEntry* find(const SegmentKey& key);
  const SegmentEntry* find(const SegmentKey& key) const;
  std::optional<SegmentEntry> copyOf(const SegmentKey& key) const;

  /** Adds a segment that is not there; the block gets `score`. */
  void insert(const BlockId& block, const SegmentEntry& entry, double score);

  /** Removes a segment; nothing if it is not there. */
  std::optional<SegmentEntry> erase(const SegmentKey& key);

  /** Counts as a use of the segment; its entry, or nothing if it is not there. */
  std::optional<SegmentEntry> touch(const SegmentKey& key, std::uint64_t use);

  /** Nothing happens if the block has no segment here. */
  void rescore(const BlockId& block, double score);
  std::optional<double> scoreOf(const BlockId& block) const;

  struct Worst {
    double score = 0;
    std::uint64_t lastUse = 0;
  };
  /** The rank of what is to be given up first, and which one it is (if there is one). */
  std::optional<Worst> worst() const;
  SegmentKey worstKey() const;

  std::vector<SegmentKey> keys() const;
  std::uint64_t segments() const { return segments_; }
  /** All memory held for the index. */
  std::uint64_t memoryBytes() const;

 private:
  static constexpr std::uint32_t kNone = NumberTable::kNone;
  static constexpr std::uint32_t kGroupsPerChunk = 32;
  using Chunk = std::array<SegmentGroup, kGroupsPerChunk>;

  SegmentGroup& group(std::uint32_t place) const;
  std::uint64_t hashAt(std::uint32_t place) const;
  std::uint32_t findGroup(const BlockId& block) const;
  void addGroup(const SegmentGroup& added);
  void dropGroup(std::uint32_t place);

  void move(std::uint32_t from, std::uint32_t to);
  void settle(std::uint32_t place);  // moves a group to where its score and age belong

  std::vector<std::unique_ptr<Chunk>> chunks_;  // chunks, so that growing copies nothing
  NumberTable table_;                           // places in the heap
  std::uint32_t groups_ = 0;
  std::uint64_t segments_ = 0;
  std::uint64_t arrayBytes_ = 0;
};

}  // namespace shift::node
