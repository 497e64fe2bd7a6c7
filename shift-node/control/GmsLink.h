#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Counters.h"
#include "control-plane/ControlPlane.h"
#include "gms/GmsFollower.h"
#include "shift-node/control/JobSpecs.h"
#include "shift-node/control/ReadTally.h"

namespace shift::node {

/**
 * A node's dealings with the GMS: it follows jobs and parameters, and reports which job read how much of
 * what. A GMS that does not answer changes nothing but counters; reports wait for it, and are counted there
 * once however often they are sent. follow() and report() are bodies of loops, each for one thread of its
 * own.
 */
class GmsLink {
 public:
  /** How the GMS is reached; a test hands in its own. */
  struct Calls {
    gms::GmsFollower::Source changesSince;
    std::function<Result<wire::ReportOutcome>(const wire::Report&)> report;
  };
  struct Config {
    std::string node;          // this node's id
    std::string snapshotFile;  // keeps what is followed across restarts; empty: nothing does
    bool followsRing = false;  // whether takeOwnership() is of use
  };
  /** `tally` is what report() reports; it is borrowed. */
  GmsLink(const Config& config, Calls calls, ReadTally& tally, const Clock& clock, CounterRegistry& counters);

  /** Every half second: asks what has changed. Returns what the control plane must hear. */
  SpecNews follow();

  /**
   * The parameters that the GMS holds for this node, its own before those for every node; nothing if they are
   * what they were when last asked for. What is for clients is not among them.
   */
  std::optional<std::map<std::string, std::string>> takeParameters();

  /** Which blocks are this node's by the GMS's members; nothing if they are those of when last asked for. */
  std::optional<control::Ownership> takeOwnership();

  /** Whether the GMS answered when last asked. Any thread. */
  bool isConnected() const { return follower_.health().connected; }

  /** As filesByManifest() says it of what is followed now. */
  std::optional<std::vector<control::ListedFile>> filesByManifest(const std::string& bucket) const;

  /** Every two seconds: sends what the tally has counted. */
  void report();

 private:
  void makeReports();

  const Config config_;
  const Calls calls_;
  ReadTally& tally_;
  Counter& knownJobs_;
  Counter& reportFailures_;
  Counter& droppedReads_;
  Counter& refusedReports_;

  // Of the thread that follows.
  SpecNews news_;
  bool parametersChanged_ = false;
  bool membersChanged_ = false;
  gms::GmsFollower follower_;

  // Of the thread that reports.
  std::deque<wire::Report> waiting_;
  std::int64_t sequence_;
};

}  // namespace shift::node
