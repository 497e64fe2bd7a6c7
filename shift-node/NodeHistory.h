#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "common/Clock.h"
#include "control-plane/ControlPlane.h"
#include "shift-node/ActivityLog.h"
#include "shift-node/StateFile.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/control/LiveParameters.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/**
 * What a node knows of its own past: its activity over the last hour, what it did since it joined an arm of a
 * comparison, what its flash was written with in all; and the state file, where what must outlive the process
 * is kept. Thread-safe; borrows its parts.
 */
class NodeHistory {
 public:
  struct Parts {
    const Engine& engine;
    const TrafficLedger& ledger;
    const control::ControlPlane& plane;
    const LiveParameters& parameters;
    const Clock& clock;
    std::string stateFile;  // empty: nothing outlives the process
  };
  /** `before` is what an earlier process left. */
  NodeHistory(const Parts& parts, const NodeState& before);

  /** Every ActivityLog::kEvery. */
  void sample();
  /** After each change of the parameters. */
  void parametersChanged();
  /** Writes the state file, if it would not say what it says already. */
  void save();

  const ActivityLog& log() const { return log_; }
  /** How things stand. */
  ActivityPoint now() const;
  /** How things stood at the start of this process. */
  const ActivityPoint& start() const { return start_; }

  struct Arm {
    std::string name;  // empty: none
    ActivityPoint joined;
    bool isSinceRestart = false;  // it may have been in it longer
  };
  Arm arm() const;

  /** Of all flash files, in their life as far as it is known. */
  std::uint64_t flashWrittenBytes() const;

 private:
  const Parts parts_;
  const std::uint64_t writtenBefore_;
  const ActivityPoint start_;
  ActivityLog log_;
  mutable std::mutex mutex_;
  Arm arm_;
  std::mutex saveMutex_;
  NodeState saved_;
  unsigned samples_ = 0;  // of the sampling thread
};

}  // namespace shift::node
