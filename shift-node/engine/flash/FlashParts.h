#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/Clock.h"
#include "shift-node/engine/DramArena.h"
#include "shift-node/engine/flash/FlashCounters.h"
#include "shift-node/engine/flash/FlashEngineConfig.h"
#include "shift-node/engine/flash/Shard.h"
#include "shift-node/engine/flash/Volume.h"

namespace shift::node {

/** What a segment's bytes are verified with; checksumOf(), save in tests that break it on purpose. */
using SegmentChecksum = std::uint64_t (*)(const SegmentKey& key, std::uint32_t offset,
                                          std::span<const std::byte> bytes);

/**
 * What the reader, the writer, the evictor and the engine work on together. Owned by the engine. Functions
 * whose name ends in Locked are called with that shard's lock held; all others with none.
 */
struct FlashParts {
  FlashParts(const FlashEngineConfig& config, const Clock& clock, CounterRegistry& registry,
             SegmentChecksum checksum);

  Shard& shardOf(const BlockId& block);
  std::uint64_t nextUse() { return uses.fetch_add(1, std::memory_order_relaxed) + 1; }

  /** Memory for a segment from the arena, for which older ones may leave it; null if all of it is in use. */
  std::shared_ptr<std::byte> takeMemory(std::uint32_t size);

  /** A segment that left the index. Its memory goes when this goes, its units by release(). */
  struct Forgotten {
    SegmentRef dram;
    Volume* volume = nullptr;
    std::vector<Extent> extents;  // empty: a write is under way and gives them back when it ends
  };
  /** Takes a segment out of the index, memory and journal. */
  Forgotten forgetLocked(Shard& shard, const SegmentKey& key);
  static void release(const Forgotten& forgotten);

  /**
   * Forgets a segment whose bytes are not what was written. `isTheSame`, called with the shard's lock held,
   * says whether it still is the one that was looked at; if not, it was merely overtaken: evicted, and its
   * place reused.
   */
  void dropSpoilt(const SegmentKey& key, const std::function<bool(Shard&)>& isTheSame);

  /** Notes how a request ended; after too many errors in a row, forgets all that the volume held. */
  void noteResult(Volume& volume, int error);

  const FlashEngineConfig config;
  const Clock& clock;
  const SegmentChecksum checksum;
  FlashCounters counters;
  DramArena arena;
  std::array<Shard, 32> shards;
  std::vector<std::unique_ptr<Volume>> volumes;
  std::atomic<std::uint64_t> uses{0};
  std::atomic<std::uint64_t> usedBytes{0};  // of segments in the index
  std::atomic<std::uint64_t> segments{0};

 private:
  void forgetAllOf(Volume& volume);
};

}  // namespace shift::node
