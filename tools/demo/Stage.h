#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "backing-store/DirectoryStore.h"
#include "backing-store/ModelledDisks.h"
#include "client-lib/ClientConfig.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "common/Result.h"
#include "common/Waiter.h"
#include "gms/GmsClient.h"
#include "tools/cluster/LocalCluster.h"
#include "tools/demo/Dataset.h"
#include "tools/demo/Findings.h"
#include "tools/demo/JobRun.h"
#include "tools/demo/Policies.h"
#include "tools/demo/Schedule.h"
#include "tools/demo/Workload.h"

namespace shift::demo {

/** Everything that the acts have in common: the dataset, the disks that it lies on, the GMS, the jobs. */
struct StageConfig {
  std::string binaries;   // where shift-node and shift-gms are
  std::string directory;  // for all that is made
  Shape shape;
  std::uint64_t seed = 1;
};

/** What came of an act. */
struct ActOutcome {
  std::vector<Duration> jobTimes;
  std::vector<NodeWork> nodes;        // in the order of the nodes
  std::uint64_t clientDiskBytes = 0;  // read by clients
};

/**
 * Where the acts of the tour are played. One GMS serves all of them, so that its dashboard shows them one
 * after the other; the nodes are new in each act. Not thread-safe.
 */
class Stage {
 public:
  /** The dataset must have been written below `directory`/store. Clock and `stop` must outlive the stage. */
  static Result<std::unique_ptr<Stage>> set(const StageConfig& config, const Clock& clock,
                                            const std::atomic<bool>& stop);

  const Shape& shape() const { return config_.shape; }
  const Dataset& dataset() const { return dataset_; }
  const std::vector<TourJob>& jobs() const { return jobs_; }
  const HostPort& gmsAddress() const { return cluster_->gmsAddress(); }
  std::string dashboard() const { return "http://" + toString(cluster_->gmsHttpAddress()) + "/"; }

  /** Puts a fresh node of each of these policies in place of those there are. Different ones are arms of a
   * comparison. */
  Status seat(const std::vector<Policy>& nodes);

  /**
   * All jobs from start to end, through the nodes there are; `name` goes before the jobs' names. Shows how
   * far they are. An interrupted act has a meaningless outcome.
   */
  Result<ActOutcome> play(const std::string& name, Schedule& schedule);

  /** Stops all processes. The error names whoever did not end well. */
  Status clear() { return cluster_->stop(); }

 private:
  Stage(const StageConfig& config, const Clock& clock, const std::atomic<bool>& stop);

  Status open();
  Result<std::vector<NodeWork>> workOfNodes() const;
  std::string storeRoot() const { return config_.directory + "/store"; }

  const StageConfig config_;
  const Clock& clock_;
  const std::atomic<bool>& stop_;
  const SystemWaiter waiter_;
  CounterRegistry counters_;
  const Dataset dataset_;
  const std::vector<TourJob> jobs_;
  std::unique_ptr<store::BackingStore> disks_;      // as clients meet it
  std::unique_ptr<store::BackingStore> reference_;  // as it is
  std::unique_ptr<tools::LocalCluster> cluster_;
  std::unique_ptr<gms::GmsClient> gms_;
};

}  // namespace shift::demo
