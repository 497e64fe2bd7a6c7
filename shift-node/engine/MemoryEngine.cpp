#include "shift-node/engine/MemoryEngine.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "blocks/Checksum.h"

namespace shift::node {

MemoryEngine::MemoryEngine(MemoryEngineConfig config, CounterRegistry& counters)
    : config_(config),
      arena_(config.capacityBytes),
      hits_(counters.counter("engine_dram_hits_total", "Segments found in memory")),
      misses_(counters.counter("engine_misses_total", "Segments looked up and not held")),
      inserted_(counters.counter("engine_inserts_total", "Segments taken in")),
      insertedBytes_(counters.counter("engine_inserted_bytes_total", "Bytes of segments taken in")),
      evicted_(counters.counter("engine_evictions_total", "Segments evicted to make room")),
      spoilt_(counters.counter("engine_checksum_failures_total",
                               "Segments that were not what was written, and were dropped")) {}

void MemoryEngine::lookup(std::span<const SegmentKey> keys, Check check, LookupDone done) {
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
  for (std::size_t i = 0; check == Check::kAnew && i < keys.size(); ++i) {
    if (found[i] && !passes(keys[i], found[i])) {
      found[i] = {};
    }
  }
  hits_.add(static_cast<std::int64_t>(hits));
  misses_.add(static_cast<std::int64_t>(keys.size() - hits));
  done(std::move(found));
}

bool MemoryEngine::passes(const SegmentKey& key, const SegmentRef& segment) {
  if (checksumOf(key, 0, segment.bytes()) == segment.checksum) {
    return true;
  }
  spoilt_.add();
  remove(key);
  return false;
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
  if (SegmentRef copy = copyTo(arena_.allocate(segment.size), segment)) {
    segment = std::move(copy);
  }
  std::vector<SegmentRef> evicted;  // freed after the lock
  std::lock_guard lock(mutex_);
  score = orderable(score);
  rescore(key.block, score);
  if (index_.contains(key)) {
    return InsertOutcome::kPresent;
  }
  while (usedBytes_ + segment.size > config_.capacityBytes) {
    if (score < floor()) {
      return InsertOutcome::kRefused;
    }
    evicted.push_back(takeOut(worst()));
    evicted_.add();
  }
  Group& group = groups_[key.block];
  usedBytes_ += segment.size;
  largestSegment_ = std::max<std::uint64_t>(largestSegment_, segment.size);
  insertedBytes_.add(segment.size);
  inserted_.add();
  group.segments.push_back({key, std::move(segment), &group, ++uses_});
  index_.emplace(key, std::prev(group.segments.end()));
  if (group.segments.size() == 1) {
    group.rank = {score, uses_, key.block};
    ranks_.insert(group.rank);
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
    rescore(update.group, orderable(update.score));
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
                     .misses = static_cast<std::uint64_t>(misses_.value()),
                     .failures = static_cast<std::uint64_t>(spoilt_.value())}};
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
    if (segment && passes(key, segment)) {
      ++verified.segments;
      verified.bytes += segment.size;
    }
  }
  done(verified);
}

void MemoryEngine::touch(std::list<Held>::iterator held) {
  held->lastUse = ++uses_;
  std::list<Held>& segments = held->group->segments;
  segments.splice(segments.end(), segments, held);
}

void MemoryEngine::rescore(const GroupId& id, double score) {
  const auto entry = groups_.find(id);
  if (entry != groups_.end() && std::get<double>(entry->second.rank) != score) {
    rerank(entry->second, score);
  }
}

void MemoryEngine::rerank(Group& group, double score) {
  auto node = ranks_.extract(group.rank);
  group.rank = {score, group.segments.front().lastUse, std::get<GroupId>(group.rank)};
  node.value() = group.rank;
  ranks_.insert(std::move(node));
}

std::list<MemoryEngine::Held>::iterator MemoryEngine::worst() {
  for (;;) {
    Group& group = groups_.at(std::get<GroupId>(*ranks_.begin()));
    const auto coldest = group.segments.begin();
    if (coldest->lastUse == std::get<std::uint64_t>(group.rank)) {
      return coldest;
    }
    rerank(group, std::get<double>(group.rank));
  }
}

SegmentRef MemoryEngine::takeOut(std::list<Held>::iterator held) {
  Group& group = *held->group;
  SegmentRef segment = std::move(held->segment);
  usedBytes_ -= segment.size;
  index_.erase(held->key);
  group.segments.erase(held);
  if (group.segments.empty()) {
    const GroupId id = std::get<GroupId>(group.rank);
    ranks_.erase(group.rank);
    groups_.erase(id);
  }
  return segment;
}

double MemoryEngine::floor() const {
  return ranks_.empty() ? -std::numeric_limits<double>::infinity() : std::get<double>(*ranks_.begin());
}

}  // namespace shift::node
