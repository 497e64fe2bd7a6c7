#include "shift-node/engine/flash/FlashReader.h"

#include <utility>

namespace shift::node {

SegmentEntry* FlashPlace::stillIn(Shard& shard) const {
  SegmentEntry* const now = shard.index.find(key);
  const bool isSame = now != nullptr && now->unit == entry.unit && now->device == entry.device &&
                      now->checksum == entry.checksum && !now->isWriting;
  return isSame ? now : nullptr;
}

/** One segment on its way from flash. Lives until the device has let go of its memory. */
struct FlashReader::Read {
  FlashPlace place;
  Done done;
  bool mustVerify = true;
  Volume* volume = nullptr;
  std::shared_ptr<std::byte> memory;
  TimePoint started;
  std::uint64_t watched = 0;
  std::atomic<std::uint32_t> pieces{0};  // under way
  std::atomic<int> error{0};             // the first
  std::atomic<bool> isAnswered{false};   // by the device or by the clock, whichever came first
};

void FlashReader::start(std::vector<Job> jobs) {
  std::vector<std::vector<IoRequest>> byVolume(parts_.volumes.size());
  for (Job& job : jobs) {
    auto read = std::make_shared<Read>();
    read->place = std::move(job.place);
    read->done = std::move(job.done);
    read->mustVerify = job.mustVerify;
    const SegmentEntry& entry = read->place.entry;
    read->volume = parts_.volumes[entry.device].get();
    read->memory = parts_.takeMemory(entry.size());
    if (!read->memory) {
      read->memory = allocateSegment(entry.size());
    }
    read->started = parts_.clock.now();
    read->pieces = static_cast<std::uint32_t>(read->place.extents.size());
    read->watched = read->volume->watch(read->started, [this, read] { expire(read); });
    parts_.counters.queueDepth.add(1);
    std::byte* into = read->memory.get();
    for (const Extent& extent : read->place.extents) {
      const std::uint32_t bytes = extent.count * kUnitBytes;
      byVolume[entry.device].push_back({IoKind::kRead, read->volume->offsetOf(extent.first), into, bytes,
                                        [this, read](int error) { finish(read, error); }});
      into += bytes;
    }
  }
  submit(std::move(byVolume));
}

void FlashReader::submit(std::vector<std::vector<IoRequest>> byVolume) {
  for (std::size_t i = 0; i < byVolume.size(); ++i) {
    if (!byVolume[i].empty()) {
      parts_.volumes[i]->device().submit(std::move(byVolume[i]));
    }
  }
}

void FlashReader::finish(const std::shared_ptr<Read>& read, int error) {
  int none = 0;
  read->error.compare_exchange_strong(none, error);
  if (read->pieces.fetch_sub(1) != 1) {
    return;
  }
  read->volume->unwatch(read->watched);
  parts_.counters.queueDepth.add(-1);
  if (read->isAnswered.exchange(true)) {
    return;  // it came too late, and was counted then
  }
  parts_.counters.readLatency.record(parts_.clock.now() - read->started);
  parts_.noteResult(*read->volume, read->error);
  if (read->error != 0) {
    parts_.counters.readErrors.add();
  }
  read->done(read->error == 0 ? resultOf(*read) : SegmentRef{});
}

void FlashReader::expire(const std::shared_ptr<Read>& read) {
  if (!read->isAnswered.exchange(true)) {
    parts_.counters.timeouts.add();
    read->done({});
  }
}

SegmentRef FlashReader::resultOf(const Read& read) {
  const SegmentEntry& entry = read.place.entry;
  SegmentRef segment{read.memory, entry.size(), entry.checksum};
  if (!read.mustVerify && isStillThere(read.place)) {
    segment.isVerified = false;
    return segment;
  }
  if (parts_.checksum(read.place.key, 0, segment.bytes()) == entry.checksum) {
    return segment;
  }
  // Wrong bytes are the device's fault only if the place was not reused meanwhile.
  parts_.dropSpoilt(read.place.key, [&](Shard& shard) { return read.place.stillIn(shard) != nullptr; });
  return {};
}

bool FlashReader::isStillThere(const FlashPlace& place) const {
  Shard& shard = parts_.shardOf(place.key.block);
  std::lock_guard lock(shard.mutex);
  return place.stillIn(shard) != nullptr;
}

}  // namespace shift::node
