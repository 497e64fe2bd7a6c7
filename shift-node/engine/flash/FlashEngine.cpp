#include "shift-node/engine/flash/FlashEngine.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

namespace shift::node {
namespace {

/** The keys of one lookup() whose segments come from flash, and where to put them. */
struct Gathering {
  std::vector<SegmentRef> found;
  LookupDone done;
  std::atomic<std::size_t> missing{0};
};

}  // namespace

FlashEngine::FlashEngine(const FlashEngineConfig& config, const Clock& clock, CounterRegistry& counters,
                         EvictionHook hook, SegmentChecksum checksum)
    : parts_(std::make_unique<FlashParts>(config, clock, counters, checksum)),
      reader_(*parts_),
      writer_(*parts_, reader_),
      evictor_(*parts_, writer_, std::move(hook)) {}

FlashEngine::~FlashEngine() {
  tasks_.clear();
  (void)flush();  // what cannot be written now is lost, as after a crash
  // The devices answer what is under way, for which the reader and the writer must still be there.
  parts_->volumes.clear();
}

void FlashEngine::lookup(std::span<const SegmentKey> keys, Check check, LookupDone done) {
  std::vector<SegmentRef> found(keys.size());
  std::vector<FlashPlace> onFlash;
  std::vector<std::size_t> slots;  // of the keys that are on flash
  for (std::size_t i = 0; i < keys.size(); ++i) {
    found[i] = findOrLocate(keys[i], onFlash);
    if (onFlash.size() > slots.size()) {
      slots.push_back(i);
    }
    const bool isDue = check == Check::kAnew || (check == Check::kOnce && !found[i].isVerified);
    if (found[i] && isDue) {
      found[i] = verifiedInMemory(keys[i], std::move(found[i]));
    }
  }
  if (onFlash.empty()) {
    done(std::move(found));
    return;
  }
  auto gathering = std::make_shared<Gathering>();
  gathering->found = std::move(found);
  gathering->done = std::move(done);
  gathering->missing = onFlash.size();
  std::vector<FlashReader::Job> jobs;
  jobs.reserve(onFlash.size());
  for (std::size_t i = 0; i < onFlash.size(); ++i) {
    const SegmentKey key = onFlash[i].key;
    jobs.push_back({std::move(onFlash[i]),
                    [this, gathering, key, slot = slots[i]](SegmentRef segment) {
                      arrivedFromFlash(key, segment);
                      segment.tier = Tier::kFlash;
                      gathering->found[slot] = std::move(segment);
                      if (gathering->missing.fetch_sub(1) == 1) {
                        gathering->done(std::move(gathering->found));
                      }
                    },
                    check != Check::kLeftToCaller});
  }
  reader_.start(std::move(jobs));
}

std::vector<bool> FlashEngine::probe(std::span<const SegmentKey> keys) const {
  std::vector<bool> held(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Shard& shard = parts_->shardOf(keys[i].block);
    std::lock_guard lock(shard.mutex);
    held[i] = isHeldLocked(shard, keys[i]);
  }
  return held;
}

InsertOutcome FlashEngine::insert(const SegmentKey& key, SegmentRef segment, double score) {
  if (segment.size == 0 || segment.size > parts_->config.segmentSize || key.segment >= kMaxSegmentsPerBlock) {
    return InsertOutcome::kRefused;
  }
  score = parts_->config.mode == EvictionMode::kScore ? orderable(score) : 0;
  Shard& shard = parts_->shardOf(key.block);
  {
    std::lock_guard lock(shard.mutex);
    shard.index.rescore(key.block, score);
    shard.publish();
    if (isHeldLocked(shard, key)) {
      return InsertOutcome::kPresent;
    }
  }
  if (writer_.isFull()) {
    parts_->counters.insertsFailed.add();
    return InsertOutcome::kFailed;
  }
  FlashEvictor::Room room = evictor_.makeRoom(unitsFor(segment.size), score);
  switch (room.outcome) {
    case FlashEvictor::Outcome::kNoVolume:
      return insertIntoDram(key, segment);
    case FlashEvictor::Outcome::kRefused:
      parts_->counters.insertsRefused.add();
      return InsertOutcome::kRefused;
    case FlashEvictor::Outcome::kFound:
      break;
  }
  return insertOntoFlash(key, segment, score, std::move(room));
}

void FlashEngine::remove(const SegmentKey& key) {
  Shard& shard = parts_->shardOf(key.block);
  FlashParts::Forgotten forgotten;
  {
    std::lock_guard lock(shard.mutex);
    forgotten = parts_->forgetLocked(shard, key);
  }
  if (forgotten.volume != nullptr || forgotten.dram) {
    parts_->counters.removals.add();
  }
  FlashParts::release(forgotten);
}

void FlashEngine::setScores(std::span<const GroupScore> scores) {
  if (parts_->config.mode != EvictionMode::kScore) {
    return;
  }
  for (const GroupScore& update : scores) {
    Shard& shard = parts_->shardOf(update.group);
    std::lock_guard lock(shard.mutex);
    shard.index.rescore(update.group, orderable(update.score));
    shard.publish();
  }
}

double FlashEngine::evictionFloor() const {
  const bool evicts = parts_->config.mode == EvictionMode::kScore && !evictor_.hasRoom(largestUnits_);
  return evicts ? evictor_.worstScore() : -std::numeric_limits<double>::infinity();
}

Status FlashEngine::flush() {
  writer_.waitForAll();
  return writeJournal();
}

EngineStatus FlashEngine::status() const {
  EngineStatus status;
  status.name = "flash";
  status.capabilities = {.scores = parts_->config.mode == EvictionMode::kScore,
                         .reinsertion = parts_->config.mode == EvictionMode::kFifo,
                         .persistent = true};
  status.usedBytes = parts_->usedBytes;
  status.segments = parts_->segments;
  for (const auto& volume : parts_->volumes) {
    status.capacityBytes += volume->isInUse() ? volume->dataBytes() : 0;
    status.devices.push_back({volume->device().name(), volume->isInUse()});
  }
  status.totals = parts_->counters.totals();
  const TierStatus flash{Tier::kFlash, status.capacityBytes, status.usedBytes, status.segments};
  TierStatus dram{Tier::kDram, parts_->config.dramBytes};
  for (Shard& shard : parts_->shards) {
    std::lock_guard lock(shard.mutex);
    dram.usedBytes += shard.dram.bytes();
    dram.segments += shard.dram.count();
  }
  status.tiers = {dram, flash};
  if (status.capacityBytes == 0) {  // memory goes on alone
    status.capacityBytes = dram.capacityBytes;
    status.usedBytes += dram.usedBytes;
    status.segments += dram.segments;
  }
  return status;
}

Status FlashEngine::writeJournal() {
  Status first;
  for (const auto& volume : parts_->volumes) {
    const Status status = volume->isInUse() ? writeJournalOf(*volume) : Status();
    first = first ? status : first;
  }
  parts_->counters.indexBytes.set(static_cast<std::int64_t>(indexBytes()));
  return first;
}

void FlashEngine::expireOverdue() {
  for (const auto& volume : parts_->volumes) {
    // All that one stall made late is one error: a busy device is not a broken one.
    if (volume->expireBefore(parts_->clock.now() - parts_->config.ioTimeout) > 0) {
      parts_->noteResult(*volume, ETIMEDOUT);
    }
  }
}

std::uint64_t FlashEngine::indexBytes() const {
  std::uint64_t bytes = 0;
  for (const auto& volume : parts_->volumes) {
    bytes += volume->units().memoryBytes();
  }
  for (Shard& shard : parts_->shards) {
    std::lock_guard lock(shard.mutex);
    bytes += shard.index.memoryBytes();
    for (const auto& [key, extents] : shard.scattered) {
      bytes += sizeof(key) + sizeof(extents) + extents.capacity() * sizeof(Extent) + 4 * sizeof(void*);
    }
  }
  return bytes;
}

Status FlashEngine::writeJournalOf(Volume& volume) {
  Status status = volume.journal().drain(
      [&](const InsertRecord& old, bool mustForget) { return keepRecord(volume, old, mustForget); });
  std::uint64_t written = 0;
  for (const auto& each : parts_->volumes) {
    written += each->journal().writtenBytes();
  }
  parts_->counters.metadataBytes.set(static_cast<std::int64_t>(written));
  if (!status) {
    parts_->counters.journalErrors.add();
    parts_->noteResult(volume, status.error().toErrno());
  }
  return status;
}

SegmentRef FlashEngine::findOrLocate(const SegmentKey& key, std::vector<FlashPlace>& onFlash) {
  Shard& shard = parts_->shardOf(key.block);
  const std::uint64_t use = parts_->nextUse();
  std::lock_guard lock(shard.mutex);
  SegmentRef inMemory = shard.dram.find(key, use);
  const bool isUse = parts_->config.mode != EvictionMode::kFifo;
  const std::optional<SegmentEntry> entry = isUse ? shard.index.touch(key, use) : shard.index.copyOf(key);
  if (!inMemory && entry && entry->isWriting) {
    inMemory = shard.writing.at(key)->segment;
  }
  if (entry && !inMemory) {
    onFlash.push_back({key, *entry, shard.extentsOf(key, *entry)});
  }
  shard.publish();
  if (inMemory) {
    parts_->counters.dramHits.add();
  } else if (!entry) {
    parts_->counters.misses.add();
  }
  return inMemory;
}

SegmentRef FlashEngine::verifiedInMemory(const SegmentKey& key, SegmentRef segment) {
  const bool isGood = parts_->checksum(key, 0, segment.bytes()) == segment.checksum;
  if (!isGood) {
    parts_->dropSpoilt(key, [&](Shard& shard) { return shard.dram.holds(key, segment); });
    return {};
  }
  segment.isVerified = true;
  Shard& shard = parts_->shardOf(key.block);
  std::lock_guard lock(shard.mutex);
  shard.dram.markVerified(key, segment);
  return segment;
}

void FlashEngine::arrivedFromFlash(const SegmentKey& key, const SegmentRef& segment) {
  if (!segment) {
    parts_->counters.misses.add();
    return;
  }
  parts_->counters.flashHits.add();
  if (!parts_->arena.contains(segment.data.get())) {
    return;  // it came into memory beyond the engine's share, and goes with its last user
  }
  Shard& shard = parts_->shardOf(key.block);
  std::lock_guard lock(shard.mutex);
  if (shard.index.find(key) != nullptr) {
    shard.dram.put(key, segment, parts_->nextUse());
    shard.publish();
  }
}

bool FlashEngine::isHeldLocked(Shard& shard, const SegmentKey& key) const {
  return shard.index.find(key) != nullptr || shard.dram.contains(key);
}

SegmentRef FlashEngine::copyToArena(const SegmentRef& segment) {
  return copyTo(parts_->takeMemory(segment.size), segment);
}

InsertOutcome FlashEngine::insertIntoDram(const SegmentKey& key, const SegmentRef& segment) {
  SegmentRef copy = copyToArena(segment);
  if (!copy) {
    parts_->counters.insertsFailed.add();
    return InsertOutcome::kFailed;
  }
  Shard& shard = parts_->shardOf(key.block);
  std::lock_guard lock(shard.mutex);
  if (isHeldLocked(shard, key)) {
    return InsertOutcome::kPresent;
  }
  shard.dram.put(key, std::move(copy), parts_->nextUse());
  shard.publish();
  parts_->counters.inserts.add();
  parts_->counters.insertedBytes.add(segment.size);
  return InsertOutcome::kInserted;
}

InsertOutcome FlashEngine::insertOntoFlash(const SegmentKey& key, const SegmentRef& segment, double score,
                                           FlashEvictor::Room room) {
  const SegmentRef copy = copyToArena(segment);
  auto write = std::make_shared<SegmentWrite>();
  write->key = key;
  write->segment = copy ? copy : segment;
  write->volume = room.volume;
  write->extents = std::move(room.extents);
  SegmentEntry entry;
  entry.lastUse = parts_->nextUse();
  entry.segment = key.segment;
  entry.checksum = segment.checksum;
  entry.unit = write->extents.front().first;
  entry.sizeLessOne = segment.size - 1;
  entry.device = room.volume->number();
  entry.isScattered = write->extents.size() > 1;
  entry.isWriting = 1;
  const InsertOutcome outcome = enter(entry, write, score, static_cast<bool>(copy));
  if (outcome == InsertOutcome::kInserted) {
    writer_.start(write);
  } else {
    FlashParts::release({{}, write->volume, write->extents});
  }
  return outcome;
}

InsertOutcome FlashEngine::enter(const SegmentEntry& entry, const std::shared_ptr<SegmentWrite>& write,
                                 double score, bool keepInDram) {
  const std::uint32_t size = write->segment.size;
  std::uint32_t largest = largestUnits_;
  while (largest < unitsFor(size) && !largestUnits_.compare_exchange_weak(largest, unitsFor(size))) {
  }
  Shard& shard = parts_->shardOf(write->key.block);
  std::lock_guard lock(shard.mutex);
  if (isHeldLocked(shard, write->key)) {
    return InsertOutcome::kPresent;
  }
  // Asked under the lock: whoever takes a volume out of use goes through all shards afterwards.
  if (!write->volume->isInUse()) {
    return InsertOutcome::kFailed;
  }
  shard.index.insert(write->key.block, entry, score);
  shard.writing[write->key] = write;
  if (entry.isScattered) {
    shard.scattered[write->key] = write->extents;
  }
  if (keepInDram) {
    shard.dram.put(write->key, write->segment, entry.lastUse);
  }
  shard.publish();
  write->volume->countSegments(1);
  parts_->segments.fetch_add(1, std::memory_order_relaxed);
  parts_->usedBytes.fetch_add(size, std::memory_order_relaxed);
  parts_->counters.inserts.add();
  parts_->counters.insertedBytes.add(size);
  return InsertOutcome::kInserted;
}

std::optional<InsertRecord> FlashEngine::keepRecord(Volume& volume, const InsertRecord& old,
                                                    bool mustForget) {
  Shard& shard = parts_->shardOf(old.key.block);
  FlashParts::Forgotten forgotten;
  {
    std::lock_guard lock(shard.mutex);
    const SegmentEntry* const entry = shard.index.find(old.key);
    if (entry == nullptr || entry->device != volume.number() || entry->unit != old.extents.front().first ||
        entry->checksum != old.checksum) {
      return std::nullopt;
    }
    if (!mustForget) {
      return InsertRecord{old.key,         entry->size(),
                          entry->checksum, *shard.index.scoreOf(old.key.block),
                          entry->lastUse,  shard.extentsOf(old.key, *entry)};
    }
    forgotten = parts_->forgetLocked(shard, old.key);
  }
  parts_->counters.evictionsJournal.add();
  FlashParts::release(forgotten);
  return std::nullopt;
}

}  // namespace shift::node
