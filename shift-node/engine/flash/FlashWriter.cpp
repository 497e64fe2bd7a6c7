#include "shift-node/engine/flash/FlashWriter.h"

#include <algorithm>
#include <utility>

namespace shift::node {
namespace {

/** Index entries that wait to be written: some 200 000, far more than a working device ever has. */
constexpr std::size_t kMostPendingJournal = 16 * kMiB;

}  // namespace

bool FlashWriter::isFull() const {
  return bytesUnderWay_.load(std::memory_order_relaxed) >= parts_.config.writeBufferBytes ||
         std::any_of(parts_.volumes.begin(), parts_.volumes.end(), [](const auto& volume) {
           return volume->isInUse() && volume->journal().pendingBytes() > kMostPendingJournal;
         });
}

void FlashWriter::start(const std::shared_ptr<SegmentWrite>& write) {
  bytesUnderWay_.fetch_add(write->segment.size);
  waitedFor_.fetch_add(1);
  parts_.counters.queueDepth.add(1);
  write->started = parts_.clock.now();
  write->pieces = static_cast<std::uint32_t>(write->extents.size());
  write->watched = write->volume->watch(write->started, [this, write] { expire(write); });
  Counter& written =
      write->cause == WriteCause::kAdmitted ? parts_.counters.admittedBytes : parts_.counters.reinsertedBytes;
  std::vector<IoRequest> requests;
  // IoRequest has one pointer for both directions; a write never writes through it.
  auto* from = const_cast<std::byte*>(write->segment.data.get());
  for (const Extent& extent : write->extents) {
    const std::uint32_t bytes = extent.count * kUnitBytes;
    requests.push_back({IoKind::kWrite, write->volume->offsetOf(extent.first), from, bytes,
                        [this, write](int error) { finish(write, error); }});
    from += bytes;
    written.add(bytes);
  }
  parts_.counters.deviceWrites.add(static_cast<std::int64_t>(requests.size()));
  write->volume->device().submit(std::move(requests));
}

void FlashWriter::writeAgain(const SegmentKey& key) {
  Shard& shard = parts_.shardOf(key.block);
  FlashPlace place;
  SegmentRef inMemory;
  {
    std::lock_guard lock(shard.mutex);
    const SegmentEntry* const entry = shard.index.find(key);
    if (entry == nullptr || entry->isWriting) {
      return;
    }
    place = {key, *entry, shard.extentsOf(key, *entry)};
    inMemory = shard.dram.find(key, parts_.nextUse());
  }
  if (inMemory) {
    writeAgain(place, std::move(inMemory));
    return;
  }
  std::vector<FlashReader::Job> job;
  job.push_back({place, [this, place](SegmentRef segment) {
                   if (segment) {
                     writeAgain(place, std::move(segment));
                   }
                 }});
  reader_.start(std::move(job));
}

void FlashWriter::writeAgain(const FlashPlace& place, SegmentRef segment) {
  auto write = std::make_shared<SegmentWrite>();
  write->key = place.key;
  write->segment = std::move(segment);
  write->cause = WriteCause::kReinserted;
  write->volume = parts_.volumes[place.entry.device].get();
  write->extents = place.extents;
  Shard& shard = parts_.shardOf(place.key.block);
  {
    std::lock_guard lock(shard.mutex);
    SegmentEntry* const entry = place.stillIn(shard);
    if (entry == nullptr) {
      return;
    }
    entry->isWriting = 1;
    shard.writing[place.key] = write;
  }
  start(write);
}

void FlashWriter::waitForAll() const {
  for (std::uint32_t left = waitedFor_.load(); left != 0; left = waitedFor_.load()) {
    waitedFor_.wait(left);
  }
}

void FlashWriter::finish(const std::shared_ptr<SegmentWrite>& write, int error) {
  int none = 0;
  write->error.compare_exchange_strong(none, error);
  if (write->pieces.fetch_sub(1) != 1) {
    return;
  }
  write->volume->unwatch(write->watched);
  parts_.counters.queueDepth.add(-1);
  parts_.counters.writeLatency.record(parts_.clock.now() - write->started);
  if (write->error != 0) {
    parts_.counters.writeErrors.add();
  }
  enter(*write);
  bytesUnderWay_.fetch_sub(write->segment.size);
  parts_.noteResult(*write->volume, write->error);
  stopWaitingFor(*write);
}

/** The write has ended, well or not: the index and the journal learn of it. */
void FlashWriter::enter(SegmentWrite& write) {
  Shard& shard = parts_.shardOf(write.key.block);
  FlashParts::Forgotten forgotten;
  {
    std::lock_guard lock(shard.mutex);
    if (write.isAbandoned) {
      forgotten = {{}, write.volume, write.extents};
    } else {
      SegmentEntry* const entry = shard.index.find(write.key);
      entry->isWriting = 0;
      shard.writing.erase(write.key);
      if (write.error != 0) {
        forgotten = parts_.forgetLocked(shard, write.key);
      } else {
        write.volume->journal().append(InsertRecord{write.key, entry->size(), entry->checksum,
                                                    *shard.index.scoreOf(write.key.block), entry->lastUse,
                                                    write.extents});
      }
    }
  }
  FlashParts::release(forgotten);
}

void FlashWriter::expire(const std::shared_ptr<SegmentWrite>& write) {
  if (write->isWaitedFor) {
    parts_.counters.timeouts.add();
    stopWaitingFor(*write);
  }
}

void FlashWriter::stopWaitingFor(SegmentWrite& write) {
  if (write.isWaitedFor.exchange(false) && waitedFor_.fetch_sub(1) == 1) {
    waitedFor_.notify_all();
  }
}

}  // namespace shift::node
