#pragma once

#include <cstdint>

#include "control-plane/Parameters.h"
#include "control-plane/Pid.h"

namespace shift::control {

/** What decisions are measured against, until the next step. */
struct Thresholds {
  double admit = 0;           // a bucket is admitted if its priority is above this
  double reinsert = 0;        // and reinserted if above this
  double horizonSeconds = 0;  // `planned` admits what is used within it; infinite = everything
};

/**
 * Keeps flash writes at the endurance limit by raising the thresholds above their minimum, or for `planned`
 * by drawing in the horizon. Two loops: a PID steers the write rate to an aim, and the aim follows from the
 * budget, which is what the limit has allowed since the start less what was written. Unused budget is saved
 * up for an hour and spent the faster the more there is; when the budget is gone nothing is admitted
 * until there is some again. So the average since the start is never above the limit, but for what is written
 * between two steps. Starts strict and lets go, so that a node that comes up does not begin with a burst.
 * Without a limit the thresholds stay at their minimum. Not thread-safe.
 */
class ThresholdTuner {
 public:
  explicit ThresholdTuner(const Parameters& parameters);

  /** `bytesPerSecond` were written, on average, during the last `dt` seconds. To be called every second or
   * so: a bucket is admitted as a whole, and what it writes between two steps is out of control. */
  void step(double bytesPerSecond, double dt);

  Thresholds thresholds() const;

  /** Where the tuner stands, for those who watch it. */
  struct State {
    double writeLimit = 0;  // bytes per second; 0 = none
    double writeRate = 0;   // of the last step, bytes per second
    double aim = 0;         // what the rate is steered to, bytes per second
    double budget = 0;      // bytes that may still be written; less than 0 = owed
    double error = 0;       // of the last step, as the PID got it
    Pid::Terms terms;
    double output = 0;
  };
  State state() const;

  /** Whether one made with these parameters would go about it the same way, so that this can go on. */
  bool suits(const Parameters& parameters) const;

 private:
  static PidConfig configOf(const Parameters& parameters);
  double error(double bytesPerSecond, double aim) const;

  Parameters parameters_;
  double limit_;  // bytes per second; 0 = none
  bool plansBlocks_;
  Pid pid_;
  double budget_ = 0;  // bytes
  double smoothed_ = 0;
  // Of the last step.
  double rate_ = 0;
  double aim_ = 0;
  double error_ = 0;
};

}  // namespace shift::control
