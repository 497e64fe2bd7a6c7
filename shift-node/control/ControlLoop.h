#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "backing-store/BackingStore.h"
#include "common/Clock.h"
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
    /** Puts in force what the GMS says; returns what is wrong with it. */
    std::function<std::vector<std::string>(const std::map<std::string, std::string>&)> adoptParameters;
    const Clock& clock;
  };
  explicit ControlLoop(const Parts& parts);

  void start();
  /** Goes on at the pace, and by the policy, of the parameters as they are now. Any thread. */
  void parametersChanged();

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
  void rescoreAll();
  void repace();
  void reportWrites();
  void listWanted();
  void adoptParameters();

  const Parts parts_;
  std::mutex reportMutex_;
  EngineTotals reported_;
  std::mutex changeMutex_;  // one change of parameters at a time
  std::string scoredBy_;    // the policy that the scores held are by
  std::unique_ptr<PeriodicTask> refreshTask_;
  std::vector<std::unique_ptr<PeriodicTask>> tasks_;
};

}  // namespace shift::node
