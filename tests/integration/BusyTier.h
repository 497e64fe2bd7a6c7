#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/TemporaryDirectory.h"
#include "common/Waiter.h"
#include "gms/GmsClient.h"
#include "tools/cluster/LocalCluster.h"

namespace shift::test {

/**
 * A tier of real processes that training jobs read through, each at a steady pace: four nodes, two policies
 * that are compared, more data than the cache holds. What fails ends it with an exception that says why. The
 * destructor ends the jobs and the processes.
 */
class BusyTier {
 public:
  /** `programs` is where shift-node and shift-gms are. After `length`, most of the jobs are halfway. */
  BusyTier(const std::string& programs, const Clock& clock, Duration length);
  ~BusyTier() { isOver_ = true; }

  /** Ends the jobs; an exception says what one of them ran into. */
  void end();

  /** Where the dashboard of the whole tier is. */
  const HostPort& dashboard() const { return cluster_->gmsHttpAddress(); }

 private:
  struct Job;

  void makeTables();
  void enlist();
  void announce(const Job& job);
  /** Reads a job's files one after the other, from `begin` on, so that the last ends with its time. */
  void read(const Job& job, TimePoint begin) const;

  const Clock& clock_;
  const SystemWaiter waiter_;
  const Duration length_;
  const TemporaryDirectory directory_;
  std::unique_ptr<tools::LocalCluster> cluster_;
  std::unique_ptr<gms::GmsClient> gms_;
  std::atomic<bool> isOver_ = false;
  std::vector<std::future<void>> readers_;  // last: they end before what they use
};

}  // namespace shift::test
