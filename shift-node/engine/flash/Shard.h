#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "blocks/BlockId.h"
#include "shift-node/engine/ExtentAllocator.h"
#include "shift-node/engine/SegmentRef.h"
#include "shift-node/engine/flash/DramTier.h"
#include "shift-node/engine/flash/SegmentIndex.h"

namespace shift::node {

struct SegmentWrite;

/**
 * A part of all blocks, chosen by their hash, with all that is known of their segments. All but the published
 * numbers is guarded by `mutex`, which is held for a few hundred nanoseconds at a time and never across I/O
 * or together with another shard's.
 */
struct Shard {
  std::mutex mutex;
  SegmentIndex index;
  DramTier dram;
  /** Segments with a write under way: their bytes are here until flash has them. */
  std::unordered_map<SegmentKey, std::shared_ptr<SegmentWrite>> writing;
  /** Where the segments lie that are in more than one run. */
  std::unordered_map<SegmentKey, std::vector<Extent>> scattered;

  // Published for whoever looks for the worst of all shards: read without the lock, a moment old.
  std::atomic<double> worstScore{std::numeric_limits<double>::infinity()};
  std::atomic<std::uint64_t> worstUse{kEmpty};  // kEmpty: no segment in the index
  std::atomic<std::uint64_t> oldestInDram{kEmpty};

  static constexpr std::uint64_t kEmpty = std::numeric_limits<std::uint64_t>::max();

  /** Called with the lock held after every change of order. */
  void publish();

  std::vector<Extent> extentsOf(const SegmentKey& key, const SegmentEntry& entry) const;
};

}  // namespace shift::node
