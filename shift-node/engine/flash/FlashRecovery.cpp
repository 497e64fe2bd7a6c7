#include "shift-node/engine/flash/FlashRecovery.h"

#include <algorithm>

#include "common/Log.h"

namespace shift::node {
namespace {

bool makesSense(const InsertRecord& record, const FlashEngineConfig& config) {
  if (record.size == 0 || record.size > config.segmentSize || record.key.segment >= kMaxSegmentsPerBlock ||
      record.extents.empty()) {
    return false;
  }
  std::uint64_t units = 0;
  for (const Extent& extent : record.extents) {
    units += extent.count;
  }
  return units == unitsFor(record.size);
}

class Replay {
 public:
  Replay(FlashParts& parts, Volume& volume) : parts_(parts), volume_(volume) {}

  void apply(const JournalRecord& record) {
    if (const auto* insert = std::get_if<InsertRecord>(&record)) {
      add(*insert);
    } else {
      drop(std::get<RemoveRecord>(record).key);
    }
  }

  /** Gives every segment its units. */
  void claimUnits() {
    for (Shard& shard : parts_.shards) {
      for (const SegmentKey& key : shard.index.keys()) {
        const SegmentEntry entry = *shard.index.find(key);
        if (entry.device != volume_.number()) {
          continue;
        }
        if (claim(shard.extentsOf(key, entry))) {
          parts_.usedBytes.fetch_add(entry.size(), std::memory_order_relaxed);
          parts_.segments.fetch_add(1, std::memory_order_relaxed);
          volume_.countSegments(1);
          parts_.counters.recovered.add();
        } else {
          drop(key);
        }
      }
      shard.publish();
    }
    volume_.units().finishClaims();
  }

 private:
  void add(const InsertRecord& record) {
    if (!makesSense(record, parts_.config)) {
      return;
    }
    drop(record.key);
    Shard& shard = parts_.shardOf(record.key.block);
    if (shard.index.find(record.key) != nullptr) {
      return;  // another volume has it
    }
    SegmentEntry entry;
    entry.lastUse = record.lastUse;
    entry.segment = record.key.segment;
    entry.checksum = record.checksum;
    entry.unit = record.extents.front().first;
    entry.sizeLessOne = record.size - 1;
    entry.device = volume_.number();
    entry.isScattered = record.extents.size() > 1;
    shard.index.insert(record.key.block, entry, record.score);
    if (entry.isScattered) {
      shard.scattered[record.key] = record.extents;
    }
    parts_.uses = std::max<std::uint64_t>(parts_.uses, record.lastUse);
  }

  void drop(const SegmentKey& key) {
    Shard& shard = parts_.shardOf(key.block);
    const SegmentEntry* const entry = shard.index.find(key);
    if (entry != nullptr && entry->device == volume_.number()) {
      shard.scattered.erase(key);
      shard.index.erase(key);
    }
  }

  bool claim(const std::vector<Extent>& extents) {
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (!volume_.units().claim(extents[i])) {
        for (std::size_t taken = 0; taken < i; ++taken) {
          volume_.units().free(extents[taken]);
        }
        return false;
      }
    }
    return true;
  }

  FlashParts& parts_;
  Volume& volume_;
};

}  // namespace

Status recoverVolume(FlashParts& parts, Volume& volume) {
  Replay replay(parts, volume);
  if (Status status = volume.journal().recover([&](const JournalRecord& record) { replay.apply(record); });
      !status) {
    return status;
  }
  replay.claimUnits();
  return {};
}

}  // namespace shift::node
