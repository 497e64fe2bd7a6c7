#include "control-plane/RequestHistory.h"

#include <algorithm>
#include <numeric>

#include "control-plane/BucketKey.h"
#include "control-plane/Hash.h"

namespace shift::control {

RequestHistory::RequestHistory(HistoryConfig config)
    : config_(config), stepLength_(config.window / config.steps) {}

void RequestHistory::record(const ReadRequest& request, BucketId id, const SegmentMapper& mapper,
                            TimePoint now) {
  const std::uint64_t job = hashText(request.job);
  if (!request.job.empty()) {
    JobShard& shard = jobs_[job % kShards];
    std::lock_guard lock(shard.mutex);
    TimePoint& lastUse = shard.lastUse[request.job];
    lastUse = std::max(lastUse, now);
  }
  if (request.length == 0) {
    return;
  }
  const std::uint64_t first = request.offset / config_.segmentSize;
  const std::uint64_t last = (request.offset + request.length - 1) / config_.segmentSize;
  const std::int64_t step = stepOf(now);

  Shard& shard = shards_[id % kShards];
  std::lock_guard lock(shard.mutex);
  const auto [entry, isNew] = shard.buckets.try_emplace(id);
  Bucket& bucket = entry->second;
  if (isNew) {
    bucket.key = mapper.keyOf(request);
    bucket.directory = directoryBucket(request.store, request.path);
    bucket.step = step;
  }
  advance(bucket, step);
  const unsigned slot = slotOf(bucket.step);
  for (std::uint64_t segment = first; segment <= last; ++segment) {
    const std::uint64_t hash = hashSegment(request.block, static_cast<std::uint32_t>(segment));
    bucket.segments.add(hash, slot);
    bucket.pairs.add(mixHash(hash, job), slot);
  }
  ++bucket.requests[slot];
  bucket.lastUse = std::max(bucket.lastUse, now);
  if (!bucket.changed) {
    bucket.changed = true;
    shard.changed.push_back(id);
  }
  if (isNew && shard.buckets.size() > config_.maxBuckets / kShards) {
    forgetLeastUsed(shard);
  }
}

void RequestHistory::recordWrite(std::uint64_t admittedBytes, std::uint64_t reinsertedBytes) {
  admittedBytes_.fetch_add(admittedBytes, std::memory_order_relaxed);
  reinsertedBytes_.fetch_add(reinsertedBytes, std::memory_order_relaxed);
}

RequestHistory::Written RequestHistory::takeWritten() {
  return {admittedBytes_.exchange(0, std::memory_order_relaxed),
          reinsertedBytes_.exchange(0, std::memory_order_relaxed)};
}

std::vector<BucketHistory> RequestHistory::takeChanged(TimePoint now, std::vector<BucketId>& forgotten) {
  const std::int64_t step = stepOf(now);
  const bool all = step != describedStep_;
  describedStep_ = step;
  if (all) {
    activeJobs(now);  // also forgets the jobs that have left the window
  }
  std::vector<BucketHistory> result;
  for (Shard& shard : shards_) {
    std::vector<BucketId> ids;
    {
      std::lock_guard lock(shard.mutex);
      ids.swap(shard.changed);
      if (all) {
        ids.clear();
        for (const auto& [id, bucket] : shard.buckets) {
          ids.push_back(id);
        }
      }
      forgotten.insert(forgotten.end(), shard.forgotten.begin(), shard.forgotten.end());
      shard.forgotten.clear();
    }
    for (const BucketId id : ids) {
      // Locked bucket by bucket, so that no request waits for the whole shard.
      std::lock_guard lock(shard.mutex);
      const auto entry = shard.buckets.find(id);
      if (entry == shard.buckets.end()) {
        continue;
      }
      entry->second.changed = false;
      advance(entry->second, step);
      if (std::ranges::all_of(entry->second.requests, [](auto count) { return count == 0; })) {
        forgotten.push_back(id);
        shard.buckets.erase(entry);
        continue;
      }
      result.push_back(describe(id, entry->second));
    }
  }
  return result;
}

std::optional<BucketHistory> RequestHistory::find(BucketId id) const {
  const Shard& shard = shards_[id % kShards];
  std::lock_guard lock(shard.mutex);
  const auto entry = shard.buckets.find(id);
  if (entry == shard.buckets.end()) {
    return std::nullopt;
  }
  return describe(id, entry->second);
}

std::vector<std::string> RequestHistory::activeJobs(TimePoint now) {
  std::vector<std::string> active;
  for (JobShard& shard : jobs_) {
    std::lock_guard lock(shard.mutex);
    std::erase_if(shard.lastUse, [&](const auto& job) { return now - job.second > config_.window; });
    for (const auto& [job, lastUse] : shard.lastUse) {
      active.push_back(job);
    }
  }
  return active;
}

bool RequestHistory::isActive(const std::string& job, TimePoint now) const {
  const JobShard& shard = jobs_[hashText(job) % kShards];
  std::lock_guard lock(shard.mutex);
  const auto entry = shard.lastUse.find(job);
  return entry != shard.lastUse.end() && now - entry->second <= config_.window;
}

std::size_t RequestHistory::buckets() const {
  std::size_t count = 0;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    count += shard.buckets.size();
  }
  return count;
}

std::size_t RequestHistory::memoryBytes() const {
  std::size_t bytes = 0;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    for (const auto& [id, bucket] : shard.buckets) {
      bytes += sizeof(id) + sizeof(bucket) + bucket.key.capacity() + bucket.directory.capacity() +
               bucket.pairs.memoryBytes() + bucket.segments.memoryBytes() - 2 * sizeof(WindowedDistinct);
    }
  }
  return bytes;
}

std::int64_t RequestHistory::stepOf(TimePoint now) const {
  return now.time_since_epoch() / stepLength_;
}

unsigned RequestHistory::slotOf(std::int64_t step) const {
  return static_cast<unsigned>(step % config_.steps);
}

void RequestHistory::advance(Bucket& bucket, std::int64_t step) const {
  if (step <= bucket.step) {
    return;
  }
  const std::int64_t from = std::max(bucket.step + 1, step - config_.steps + 1);
  for (std::int64_t at = from; at <= step; ++at) {
    bucket.pairs.clearSlot(slotOf(at));
    bucket.segments.clearSlot(slotOf(at));
    bucket.requests[slotOf(at)] = 0;
  }
  bucket.step = step;
}

BucketHistory RequestHistory::describe(BucketId id, const Bucket& bucket) const {
  const double unique = bucket.segments.estimate();
  // Two estimates with errors of their own: each segment was read by somebody, so the total is not less.
  const double total = std::max(unique, bucket.pairs.estimate());
  return {.id = id,
          .key = bucket.key,
          .directory = bucket.directory,
          .totalBytes = total * config_.segmentSize,
          .uniqueBytes = unique * config_.segmentSize,
          .requests = std::accumulate(bucket.requests.begin(), bucket.requests.end(), std::uint64_t{0}),
          .lastUse = bucket.lastUse};
}

void RequestHistory::forgetLeastUsed(Shard& shard) const {
  struct Use {
    std::uint64_t requests;
    TimePoint lastUse;
    BucketId id;
    auto operator<=>(const Use&) const = default;
  };
  std::vector<Use> uses;
  uses.reserve(shard.buckets.size());
  for (const auto& [id, bucket] : shard.buckets) {
    uses.push_back({std::accumulate(bucket.requests.begin(), bucket.requests.end(), std::uint64_t{0}),
                    bucket.lastUse, id});
  }
  // A sixteenth at once, so that the sorting is paid for by many new buckets.
  const std::size_t count = std::max<std::size_t>(1, uses.size() / 16);
  std::ranges::nth_element(uses, uses.begin() + static_cast<std::ptrdiff_t>(count) - 1);
  for (std::size_t i = 0; i < count; ++i) {
    shard.buckets.erase(uses[i].id);
    shard.forgotten.push_back(uses[i].id);
  }
}

}  // namespace shift::control
