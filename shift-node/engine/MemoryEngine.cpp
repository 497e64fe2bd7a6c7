#include "shift-node/engine/MemoryEngine.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "blocks/Checksum.h"

namespace shift::node {

MemoryEngine::MemoryEngine(MemoryEngineConfig config, CounterRegistry& counters)
    : config_(config),
      hits_(counters.counter("engine_dram_hits_total", "Segments found in memory")),
      misses_(counters.counter("engine_misses_total", "Segments looked up and not held")),
      inserted_(counters.counter("engine_inserts_total", "Segments taken in")),
      insertedBytes_(counters.counter("engine_inserted_bytes_total", "Bytes of segments taken in")),
      evicted_(counters.counter("engine_evictions_total", "Segments evicted to make room")) {}

void MemoryEngine::lookup(std::span<const SegmentKey> keys, LookupDone done) {
  std::vector<SegmentRef> found(keys.size());
  std::size_t hits = 0;
  {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto entry = index_.find(keys[i]);
      if (entry != index_.end()) {
        touch(entry->second);
        found[i] = entry->second->segment;
        ++hits;
      }
    }
  }
  hits_.add(static_cast<std::int64_t>(hits));
  misses_.add(static_cast<std::int64_t>(keys.size() - hits));
  done(std::move(found));
}

std::vector<bool> MemoryEngine::probe(std::span<const SegmentKey> keys) const {
  std::vector<bool> held(keys.size());
  std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    held[i] = index_.contains(keys[i]);
  }
  return held;
}

InsertOutcome MemoryEngine::insert(const SegmentKey& key, SegmentRef segment, double score) {
  if (segment.size > config_.capacityBytes) {
    return InsertOutcome::kRefused;
  }
  std::vector<SegmentRef> evicted;  // freed after the lock
  std::lock_guard lock(mutex_);
  rescore(key.block, score);
  if (index_.contains(key)) {
    return InsertOutcome::kPresent;
  }
  while (usedBytes_ + segment.size > config_.capacityBytes) {
    if (score < floor()) {
      return InsertOutcome::kRefused;
    }
    evicted.push_back(takeOut(groups_.at(std::get<GroupId>(*ranks_.begin())).segments.begin()));
    evicted_.add();
  }
  Group& group = groups_[key.block];
  const bool isNew = group.segments.empty();
  group.score = score;
  usedBytes_ += segment.size;
  largestSegment_ = std::max<std::uint64_t>(largestSegment_, segment.size);
  insertedBytes_.add(segment.size);
  inserted_.add();
  group.segments.push_back({key, std::move(segment), ++uses_});
  index_.emplace(key, std::prev(group.segments.end()));
  if (isNew) {
    ranks_.insert(rankOf(key.block, group));
  }
  return InsertOutcome::kInserted;
}

void MemoryEngine::remove(const SegmentKey& key) {
  SegmentRef removed;  // freed after the lock
  std::lock_guard lock(mutex_);
  if (const auto entry = index_.find(key); entry != index_.end()) {
    removed = takeOut(entry->second);
  }
}

void MemoryEngine::setScores(std::span<const GroupScore> scores) {
  std::lock_guard lock(mutex_);
  for (const GroupScore& update : scores) {
    rescore(update.group, update.score);
  }
}

double MemoryEngine::evictionFloor() const {
  std::lock_guard lock(mutex_);
  const bool hasRoom = usedBytes_ + largestSegment_ <= config_.capacityBytes;
  return hasRoom ? -std::numeric_limits<double>::infinity() : floor();
}

Status MemoryEngine::flush() {
  return {};
}

EngineStatus MemoryEngine::status() const {
  std::lock_guard lock(mutex_);
  return {.name = "memory",
          .capabilities = {.scores = true, .reinsertion = false, .persistent = false},
          .capacityBytes = config_.capacityBytes,
          .usedBytes = usedBytes_,
          .segments = index_.size(),
          .tiers = {{.tier = Tier::kDram,
                     .capacityBytes = config_.capacityBytes,
                     .usedBytes = usedBytes_,
                     .segments = index_.size()}},
          .devices = {},
          .totals = {.dramHits = static_cast<std::uint64_t>(hits_.value()),
                     .misses = static_cast<std::uint64_t>(misses_.value())}};
}

std::size_t MemoryEngine::keyParts() const {
  return 1;
}

std::vector<SegmentKey> MemoryEngine::keysIn(std::size_t /*part*/) const {
  std::lock_guard lock(mutex_);
  std::vector<SegmentKey> keys;
  keys.reserve(index_.size());
  for (const auto& [key, held] : index_) {
    keys.push_back(key);
  }
  return keys;
}

void MemoryEngine::verify(std::span<const SegmentKey> keys, VerifyDone done) {
  Verified verified;
  for (const SegmentKey& key : keys) {
    SegmentRef segment;
    {
      std::lock_guard lock(mutex_);
      if (const auto held = index_.find(key); held != index_.end()) {
        segment = held->second->segment;
      }
    }
    if (segment && checksumOf(key, 0, segment.bytes()) == segment.checksum) {
      ++verified.segments;
      verified.bytes += segment.size;
    }
  }
  done(verified);
}

MemoryEngine::Rank MemoryEngine::rankOf(const GroupId& id, const Group& group) {
  return {group.score, group.segments.front().lastUse, id};
}

void MemoryEngine::touch(std::list<Held>::iterator held) {
  const GroupId id = held->key.block;
  Group& group = groups_.at(id);
  const bool wasColdest = held == group.segments.begin();
  if (wasColdest) {
    ranks_.erase(rankOf(id, group));
  }
  held->lastUse = ++uses_;
  group.segments.splice(group.segments.end(), group.segments, held);
  if (wasColdest) {
    ranks_.insert(rankOf(id, group));
  }
}

void MemoryEngine::rescore(const GroupId& id, double score) {
  const auto entry = groups_.find(id);
  if (entry == groups_.end() || entry->second.score == score) {
    return;
  }
  ranks_.erase(rankOf(id, entry->second));
  entry->second.score = score;
  ranks_.insert(rankOf(id, entry->second));
}

SegmentRef MemoryEngine::takeOut(std::list<Held>::iterator held) {
  const GroupId id = held->key.block;
  Group& group = groups_.at(id);
  ranks_.erase(rankOf(id, group));
  SegmentRef segment = std::move(held->segment);
  usedBytes_ -= segment.size;
  index_.erase(held->key);
  group.segments.erase(held);
  if (group.segments.empty()) {
    groups_.erase(id);
  } else {
    ranks_.insert(rankOf(id, group));
  }
  return segment;
}

double MemoryEngine::floor() const {
  return ranks_.empty() ? -std::numeric_limits<double>::infinity() : std::get<double>(*ranks_.begin());
}

}  // namespace shift::node
