#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/Clock.h"
#include "control-plane/ReadRequest.h"
#include "control-plane/SegmentMapper.h"
#include "control-plane/WindowedDistinct.h"

namespace shift::control {

struct HistoryConfig {
  Duration window{};
  std::uint32_t steps = WindowedDistinct::kMaxSlots;  // at most WindowedDistinct::kMaxSlots
  std::uint32_t maxBuckets = 0;
  std::uint32_t segmentSize = 0;
};

/** What the window holds of one bucket. */
struct BucketHistory {
  BucketId id = 0;
  std::string key;
  std::string directory;   // `store:dir` of the first request seen; specs are matched against it
  double totalBytes = 0;   // a segment that one job touches twice counts once
  double uniqueBytes = 0;  // the same unit: whole segments
  std::uint64_t requests = 0;
  TimePoint lastUse;
};

/**
 * The request history window: what was asked for in the last hours, admitted or not. The window moves on in
 * steps, so it covers between (steps - 1) and steps of them.
 *
 * Memory: at most 40 KiB per bucket and maxBuckets buckets (the least used are forgotten first), whatever the
 * traffic. Cost of record(): one hash and two register updates per segment.
 *
 * Threads: buckets lie in kShards shards by id, jobs in as many by name, each shard behind its own mutex,
 * held for one record() or for the copying of one bucket. Time must not run backwards by more than a step.
 */
class RequestHistory {
 public:
  static constexpr std::size_t kShards = 64;

  explicit RequestHistory(HistoryConfig config);

  void record(const ReadRequest& request, BucketId bucket, const SegmentMapper& mapper, TimePoint now);

  /** Bytes that went to flash because a miss was admitted, or because an evicted segment was kept. */
  void recordWrite(std::uint64_t admittedBytes, std::uint64_t reinsertedBytes);

  /** Since the last call; zeroes them. */
  struct Written {
    std::uint64_t admittedBytes = 0;
    std::uint64_t reinsertedBytes = 0;
  };
  Written takeWritten();

  /**
   * The buckets whose numbers may have changed since the last call: those read, and once per step all.
   * `forgotten` gets the ids of those that are no longer held. One caller at a time.
   */
  std::vector<BucketHistory> takeChanged(TimePoint now, std::vector<BucketId>& forgotten);

  std::optional<BucketHistory> find(BucketId bucket) const;

  /** The jobs with a read in the window. */
  std::vector<std::string> activeJobs(TimePoint now);
  bool isActive(const std::string& job, TimePoint now) const;

  std::size_t buckets() const;
  std::size_t memoryBytes() const;

 private:
  struct Bucket {
    std::string key;
    std::string directory;
    WindowedDistinct pairs;     // (job, segment)
    WindowedDistinct segments;  // segment
    std::array<std::uint32_t, WindowedDistinct::kMaxSlots> requests{};
    std::int64_t step = 0;  // the newest step that has a slot
    TimePoint lastUse;
    bool changed = false;
  };
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<BucketId, Bucket> buckets;
    std::vector<BucketId> changed;
    std::vector<BucketId> forgotten;
  };
  struct JobShard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, TimePoint> lastUse;
  };

  std::int64_t stepOf(TimePoint now) const;
  unsigned slotOf(std::int64_t step) const;
  /** Clears what has left the window. With the shard's mutex held, like the two below. */
  void advance(Bucket& bucket, std::int64_t step) const;
  BucketHistory describe(BucketId id, const Bucket& bucket) const;
  void forgetLeastUsed(Shard& shard) const;

  const HistoryConfig config_;
  const Duration stepLength_;
  std::array<Shard, kShards> shards_;
  std::array<JobShard, kShards> jobs_;
  std::atomic<std::uint64_t> admittedBytes_{0};
  std::atomic<std::uint64_t> reinsertedBytes_{0};
  std::int64_t describedStep_ = -1;
};

}  // namespace shift::control
