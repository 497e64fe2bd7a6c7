#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/Result.h"
#include "control-plane/AdmissionPolicy.h"
#include "control-plane/AdmissionTable.h"
#include "control-plane/Explanation.h"
#include "control-plane/JobSpec.h"
#include "control-plane/Parameters.h"
#include "control-plane/PriorityPolicy.h"
#include "control-plane/ReadPlan.h"
#include "control-plane/RequestHistory.h"
#include "control-plane/ThresholdTuner.h"

namespace shift::control {

/** Whether this node is asked for a block, by the ring. Pure, any thread. Empty: it is asked for all. */
using Ownership = std::function<bool(const BlockId&)>;

struct NodeFacts {
  std::uint64_t blockSize = 0;
  std::uint32_t segmentSize = 0;
  Ownership owns;  // at first
};

/** A bucket as people see it. */
struct BucketDescription {
  BucketFacts facts;
  double historic = 0;
  double future = 0;
  double hybrid = 0;
  double priority = 0;         // by the policy in force
  std::optional<bool> admits;  // nothing: the policy decides block by block
};

/**
 * The whole control plane of one node. No threads, no clock, no I/O: the node, the simulator and the tests
 * drive it, and hand in the time, which must not run backwards.
 *
 *   Hot path, any number of threads: record(), decide(), reinsert(), recordWrite(). They take no lock that is
 *   held for longer than some ten microseconds, but while specs or listings are taken in or parameters
 * change. Every BucketRefreshTime, one thread: engine.setScores(plane.refresh(now)). About every second, one
 * thread: engine.setScores(plane.rescore(now)). When there is news, any thread: applySpecs(), setListing()
 * for each of wantedListings(), finishedReading(), setParameters().
 */
class ControlPlane final : public AdmissionPolicy {
 public:
  /** Throws ConfigError if the parameters are not in order. */
  ControlPlane(const Parameters& parameters, NodeFacts facts);
  ~ControlPlane() override;

  void record(const ReadRequest& request, TimePoint now) override;
  Decision decide(const ReadRequest& request, double evictionFloor, TimePoint now) override;
  bool reinsert(const BlockId& group, TimePoint now) override;
  /** Bytes written to flash since the last call, because misses were admitted or segments reinserted. */
  void recordWrite(std::uint64_t admittedBytes, std::uint64_t reinsertedBytes);

  /** Tunes the thresholds, reckons the buckets' priorities, forecasts. Returns the scores that changed. */
  std::vector<ScoreChange> refresh(TimePoint now);
  /** Tunes the thresholds. Returns only the scores that changed because blocks have been read since. */
  std::vector<ScoreChange> rescore(TimePoint now);

  /** Jobs that are new or have changed; finished and failed ones are forgotten. */
  void applySpecs(std::span<const JobSpec> specs, TimePoint now);
  std::vector<std::string> wantedListings() const;
  /** The files in `directory` (`store:dir`) and below. */
  void setListing(const std::string& directory, std::span<const ListedFile> files, TimePoint now);
  void finishedReading(const std::string& job, const std::string& directory);
  /** The ring has changed. Partitions then have to be listed again: wantedListings() names them. */
  void setOwnership(Ownership owns);

  Parameters parameters() const;
  /** Refused as a whole, with all faults. Another mapping or window begins with an empty history. */
  Status setParameters(const Parameters& parameters, TimePoint now);
  Thresholds thresholds() const;
  /** Where the tuner stood after its last step. Waits for no refresh. */
  ThresholdTuner::State tuning() const;

  /** What a block that is held should score by the policy in force: for all of them, when that has changed.
   */
  double scoreOf(const BlockId& block, TimePoint now) const;

  /** What is known of the bucket that a directory (`store:dir`) belongs to. Changes nothing. */
  BucketDescription describe(const std::string& directory) const;

  /** Why a miss of this request would be admitted or refused now. Changes nothing. */
  Explanation explain(const ReadRequest& request, double evictionFloor, TimePoint now) const;

 private:
  /** What is replaced when parameters change. */
  struct Rules {
    Parameters parameters;
    const PriorityPolicy* policy;
    SegmentMapper mapper;
    std::shared_ptr<RequestHistory> history;
    std::unique_ptr<AdmissionTable> table;
  };

  void adopt(const Parameters& parameters);
  // With rulesMutex_ held, at least shared.
  Decision decideByPlan(const BlockId& block, double evictionFloor, double now) const;
  Decision decideByBucket(const ReadRequest& request) const;
  bool isAboveThreshold(BucketId bucket) const;
  bool isWorthAWrite(const BlockId& block, const NextUse& next, double wait) const;
  // With refreshMutex_ held as well.
  void tune(TimePoint now);
  void assignPriorities(TimePoint now);
  void countFutureJobs(TimePoint now, std::unordered_set<BucketId>& changed);
  BucketFacts factsOf(BucketId bucket) const;
  /** The same as of this moment, rather than of the last refresh. */
  BucketFacts presentFacts(BucketId bucket) const;
  void publish(const ThresholdTuner& tuner);

  const NodeFacts facts_;
  ReadPlan plan_;

  /** Shared by the hot path and by refresh(); held alone only while parameters change. */
  mutable std::shared_mutex rulesMutex_;
  std::unique_ptr<Rules> rules_;
  std::atomic<double> admitThreshold_{0};
  std::atomic<double> reinsertThreshold_{0};
  std::atomic<double> horizonSeconds_{0};
  mutable std::mutex tuningMutex_;  // held for a copy
  ThresholdTuner::State tuning_;

  /** One refresh, change of parameters or explanation at a time; taken before rulesMutex_. */
  mutable std::mutex refreshMutex_;
  std::unique_ptr<ThresholdTuner> tuner_;
  std::optional<TimePoint> lastTuned_;
  std::unordered_map<BucketId, BucketHistory> histories_;  // of the buckets in the window, as last described
  std::unordered_map<BucketId, unsigned> futureJobs_;
  bool assignAll_ = true;  // the table has yet to be made

  /** The buckets of admitted blocks, for reinsertion, which is asked with nothing but the block. */
  static constexpr std::size_t kGroupShards = 64;
  static constexpr std::size_t kGroupsPerShard = 1 << 16;
  struct GroupShard {
    std::mutex mutex;
    std::unordered_map<BlockId, BucketId> bucketOf;
  };
  mutable std::array<GroupShard, kGroupShards> groups_;
};

}  // namespace shift::control
