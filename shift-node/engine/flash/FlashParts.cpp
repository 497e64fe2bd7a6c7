#include "shift-node/engine/flash/FlashParts.h"

#include <algorithm>
#include <bit>

#include "common/Log.h"
#include "shift-node/engine/flash/FlashWriter.h"
#include "shift-node/engine/flash/KeyHash.h"

namespace shift::node {
namespace {

/** So many segments leave memory at most for one that wants in: what is left is in use by callers. */
constexpr int kMostDropped = 64;

}  // namespace

FlashParts::FlashParts(const FlashEngineConfig& engineConfig, const Clock& engineClock,
                       CounterRegistry& registry, SegmentChecksum segmentChecksum)
    : config(engineConfig),
      clock(engineClock),
      checksum(segmentChecksum),
      counters(registry),
      arena(engineConfig.dramBytes / kUnitBytes * kUnitBytes) {}

Shard& FlashParts::shardOf(const BlockId& block) {
  return shards[hashOf(block) % shards.size()];
}

std::shared_ptr<std::byte> FlashParts::takeMemory(std::uint32_t size) {
  std::shared_ptr<std::byte> memory = arena.allocate(size);
  for (int dropped = 0; !memory && dropped < kMostDropped; ++dropped) {
    Shard& oldest = *std::min_element(shards.begin(), shards.end(), [](const Shard& a, const Shard& b) {
      return a.oldestInDram.load(std::memory_order_relaxed) < b.oldestInDram.load(std::memory_order_relaxed);
    });
    SegmentRef leaving;
    {
      std::lock_guard lock(oldest.mutex);
      leaving = oldest.dram.takeOldest();
      oldest.publish();
    }
    if (!leaving) {
      break;
    }
    counters.dramEvictions.add();
    leaving = {};
    memory = arena.allocate(size);
  }
  return memory;
}

FlashParts::Forgotten FlashParts::forgetLocked(Shard& shard, const SegmentKey& key) {
  Forgotten forgotten;
  forgotten.dram = shard.dram.take(key);
  const std::optional<SegmentEntry> entry = shard.index.erase(key);
  if (entry) {
    forgotten.volume = volumes[entry->device].get();
    if (entry->isWriting) {
      shard.writing.at(key)->isAbandoned = true;
      shard.writing.erase(key);
    } else {
      forgotten.extents = shard.extentsOf(key, *entry);
    }
    if (entry->isScattered) {
      shard.scattered.erase(key);
    }
    forgotten.volume->journal().append(RemoveRecord{key});
    forgotten.volume->countSegments(-1);
    segments.fetch_sub(1, std::memory_order_relaxed);
    usedBytes.fetch_sub(entry->size(), std::memory_order_relaxed);
  }
  shard.publish();
  return forgotten;
}

void FlashParts::release(const Forgotten& forgotten) {
  for (const Extent& extent : forgotten.extents) {
    forgotten.volume->units().free(extent);
  }
}

void FlashParts::dropSpoilt(const SegmentKey& key, const std::function<bool(Shard&)>& isTheSame) {
  Shard& shard = shardOf(key.block);
  Forgotten forgotten;
  {
    std::lock_guard lock(shard.mutex);
    if (!isTheSame(shard)) {
      counters.overtakenReads.add();
      return;
    }
    forgotten = forgetLocked(shard, key);
  }
  release(forgotten);
  counters.checksumFailures.add();
  const auto failures = static_cast<std::uint64_t>(counters.checksumFailures.value());
  if (std::has_single_bit(failures)) {  // said at the first, second, fourth, eighth ...: enough
    logWarning((forgotten.volume == nullptr ? "memory" : forgotten.volume->device().name()) + ": segment " +
               toString(key.block) + "/" + std::to_string(key.segment) +
               " is not what was written; dropped, as were " + std::to_string(failures - 1) + " before");
  }
}

void FlashParts::noteResult(Volume& volume, int error) {
  if (error == 0) {
    volume.noteSuccess();
  } else if (volume.noteError()) {
    logError(volume.device().name() + ": out of use after " + std::to_string(config.errorsUntilOut) +
             " errors in a row, the last: " + Error::fromErrno(error, "I/O").message);
    counters.devicesInUse.add(-1);
    forgetAllOf(volume);
  }
}

void FlashParts::forgetAllOf(Volume& volume) {
  for (Shard& shard : shards) {
    std::lock_guard lock(shard.mutex);
    for (const SegmentKey& key : shard.index.keys()) {
      if (shard.index.find(key)->device == volume.number()) {
        Forgotten lost = forgetLocked(shard, key);
        counters.lostSegments.add();
        if (lost.dram) {
          shard.dram.put(key, std::move(lost.dram), nextUse());  // memory still has it, and goes on
        }
      }
    }
    shard.publish();
  }
}

}  // namespace shift::node
