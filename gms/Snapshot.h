#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "thrift/gms_types.h"

namespace shift::gms {

/**
 * What a follower knows of the store at one revision. Entries are shared and immutable, so a copy costs a
 * pointer for each, whatever it holds.
 */
struct Snapshot {
  template <typename T>
  using ByKey = std::map<std::string, std::shared_ptr<const T>>;

  std::string instance;       // of the store; empty: nothing is known
  std::int64_t revision = 0;  // of the store, when this was true
  std::int64_t ringEpoch = 0;
  ByKey<wire::Job> jobs;                  // queued and running ones
  ByKey<std::set<std::string>> finished;  // by job: directories that a reader said it has finished
  ByKey<wire::Table> tables;
  ByKey<wire::EligibilityRule> rules;
  ByKey<wire::RingMember> members;
  ByKey<wire::Parameter> parameters;  // by keyOf()
};

/** "node/name"; "/name" of one that is for every node. */
std::string keyOf(const wire::Parameter& parameter);

/** What is different between one snapshot and the next. */
struct SnapshotUpdate {
  std::vector<std::shared_ptr<const wire::Job>> jobs;  // new or changed
  std::vector<std::string> endedJobs;
  std::vector<wire::FinishedPartition> finished;
  bool tables = false;
  bool rules = false;
  bool members = false;
  bool parameters = false;

  bool any() const {
    return !jobs.empty() || !endedJobs.empty() || !finished.empty() || tables || rules || members ||
           parameters;
  }
};

/** Takes in the pages of one answer, then says what became of the snapshot. Used once; one thread. */
class SnapshotMerge {
 public:
  explicit SnapshotMerge(std::shared_ptr<const Snapshot> before);

  /** A page, in the order of the answers. */
  void add(wire::Changes page);

  /** Of the store that the pages came from so far. */
  const std::string& instance() const { return after_->instance; }

  struct Outcome {
    std::shared_ptr<const Snapshot> snapshot;
    SnapshotUpdate update;
  };
  Outcome finish();

 private:
  void remove(const wire::Removed& removed);
  void compareWithBefore();
  /** The job's set, as one that no other snapshot shares. */
  std::set<std::string>& ownFinished(const std::string& job);
  void forgetFinished(const std::string& job);

  const std::shared_ptr<const Snapshot> before_;
  std::shared_ptr<Snapshot> after_;
  std::map<std::string, std::shared_ptr<std::set<std::string>>> ownFinished_;
  SnapshotUpdate update_;
  bool reset_ = false;
};

/** The snapshot as one page that holds everything: what is sent, and what is kept in files. */
wire::Changes toChanges(const Snapshot& snapshot);

}  // namespace shift::gms
