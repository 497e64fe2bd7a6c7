#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "backing-store/BackingStore.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "common/PeriodicTask.h"
#include "control-plane/ControlPlane.h"
#include "shift-node/control/GmsLink.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/**
 * What the control plane, being pure, cannot do itself: look at the clock, ask the GMS, list partitions, tell
 * the engine. All background work around it is on this page. Each loop's body can be called, and tested, by
 * itself; start() has them called at their pace until the destructor. A GMS that does not answer changes
 * nothing: the plane goes on with what it last knew.
 */
class ControlLoop {
 public:
  struct Parts {
    control::ControlPlane& plane;
    Engine& engine;
    const store::BackingStore& store;
    GmsLink* gms;  // nullptr: no dataset specs
    /** The parameters that follow from the configuration and these "key=value"; throws ConfigError. */
    std::function<control::Parameters(const std::vector<std::string>&)> parametersWith;
    const Clock& clock;
  };
  ControlLoop(const Parts& parts, CounterRegistry& counters);

  void start();
  /** Has refresh() called at the pace of the parameters as they are now. Any thread, after start(). */
  void repace();

  /** Every BucketRefreshTime: reports what was written to flash, refreshes, hands the scores to the engine.
   */
  void refresh();
  /** Every second: reports what was written to flash, and hands on the scores that changed because blocks
   * have been read. */
  void rescore();
  /** Every half second: asks the GMS what has changed, and lists the partitions that are new to the plane. */
  void follow();

 private:
  void setScores(const std::vector<control::ScoreChange>& changes);
  void reportWrites();
  void listWanted();
  void adoptParameters();

  const Parts parts_;
  Counter& admittedBytes_;    // the engine's
  Counter& reinsertedBytes_;  // the engine's
  std::int64_t reportedAdmitted_ = 0;
  std::int64_t reportedReinserted_ = 0;
  std::mutex refreshTaskMutex_;
  std::unique_ptr<PeriodicTask> refreshTask_;
  std::vector<std::unique_ptr<PeriodicTask>> tasks_;
};

}  // namespace shift::node
