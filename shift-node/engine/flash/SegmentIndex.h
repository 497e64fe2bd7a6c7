#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "blocks/BlockId.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/** What memory keeps of one segment on flash: 24 bytes. */
struct SegmentEntry {
  std::uint64_t isArray : 1 = 0;   // the index's own mark; 0 in every entry
  std::uint64_t lastUse : 45 = 0;  // a count of uses; at 50 000 a second it lasts 22 years
  std::uint64_t segment : 18 = 0;  // index within the block
  std::uint64_t checksum = 0;
  std::uint64_t unit : 32 = 0;  // the first unit on the device
  std::uint64_t sizeLessOne : 22 = 0;
  std::uint64_t device : 4 = 0;
  std::uint64_t isScattered : 1 = 0;  // in several runs, kept elsewhere
  std::uint64_t isWriting : 1 = 0;    // not yet on the device, or being written again

  std::uint32_t size() const { return static_cast<std::uint32_t>(sizeLessOne) + 1; }
};
static_assert(sizeof(SegmentEntry) == 24);

/** What the fields of SegmentEntry can hold. */
inline constexpr std::uint32_t kMaxSegmentsPerBlock = 1u << 18;
inline constexpr std::uint32_t kMaxDevices = 16;

/**
 * One shard's segments by key, and the order in which they are to be given up: the group with the worst score
 * first and, within it or among groups of equal score, what was used longest ago. Exact, not sampled.
 *
 * Made for tens of millions of segments in little memory: a block's entries are one sorted array, a block of
 * a single segment keeps it in place, blocks are found through an open-addressed table of 4-byte numbers and
 * ordered by a heap of 4-byte numbers. Not thread-safe; the shard's lock guards it.
 */
class SegmentIndex {
 public:
  SegmentIndex();
  ~SegmentIndex();
  SegmentIndex(const SegmentIndex&) = delete;
  SegmentIndex& operator=(const SegmentIndex&) = delete;

  /** The entry, or null. Its lastUse and segment are not to be written; the rest may be. Valid until the next
   * insert or erase. */
  SegmentEntry* find(const SegmentKey& key);
  const SegmentEntry* find(const SegmentKey& key) const;

  /** Adds a segment that is not there; the block gets `score`. */
  void insert(const BlockId& block, const SegmentEntry& entry, double score);

  /** Removes a segment; nothing if it is not there. */
  std::optional<SegmentEntry> erase(const SegmentKey& key);

  /** Counts as a use of a segment that is there. */
  void touch(const SegmentKey& key, std::uint64_t use);

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
  struct Group;
  struct Chunk;
  static constexpr std::uint32_t kNone = 0xffffffff;

  Group& group(std::uint32_t number) const;
  std::uint32_t& heapPlace(std::uint32_t number) const;
  std::uint32_t findGroup(const BlockId& block) const;
  std::uint32_t addGroup(const BlockId& block, double score);
  void dropGroup(std::uint32_t number);

  std::size_t homeOf(const BlockId& block) const;
  void addToTable(std::uint32_t number);
  void removeFromTable(const BlockId& block);
  void growTable();

  bool comesBefore(std::uint32_t left, std::uint32_t right) const;
  void place(std::size_t at, std::uint32_t number);
  void settle(std::uint32_t number);  // moves a group to where its score and age belong

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint32_t firstFree_ = kNone;   // the rest of the list is kept in the free groups themselves
  std::vector<std::uint32_t> table_;  // group number, or kNone
  std::vector<std::uint32_t> heap_;   // group numbers, the worst first
  std::uint64_t segments_ = 0;
  std::uint64_t arrayBytes_ = 0;
};

}  // namespace shift::node
