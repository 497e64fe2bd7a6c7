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
 * by drawing in the horizon. The controlled error is (bytes written per second - limit) / limit. What was
 * written too much is remembered for up to an hour of the limit and paid back, so that the average holds over
 * a long run; what was not used is not saved up. Starts strict and lets go, so that a node that comes up does
 * not begin with a burst. Without a limit the thresholds stay at their minimum. Not thread-safe.
 */
class ThresholdTuner {
 public:
  explicit ThresholdTuner(const Parameters& parameters);

  /** `bytesPerSecond` were written, on average, during the last `dt` seconds. */
  void step(double bytesPerSecond, double dt);

  Thresholds thresholds() const;

 private:
  static PidConfig configOf(const Parameters& parameters);

  Parameters parameters_;
  bool plansBlocks_;
  Pid pid_;
};

}  // namespace shift::control
