#include "control-plane/ThresholdTuner.h"

#include <cmath>
#include <limits>

#include "control-plane/PriorityPolicy.h"

namespace shift::control {

namespace {

/** A little under the limit, so that what the last step overshoots stays under it as well. */
constexpr double kAim = 0.98;
constexpr double kMemorySeconds = 3600;
/** For `planned` the output counts halvings of the horizon, from the length of the window down. */
constexpr double kMaxHalvings = 20;
constexpr double kStartHalvings = 10;
constexpr double kStartThreshold = 4;

}  // namespace

ThresholdTuner::ThresholdTuner(const Parameters& parameters)
    : parameters_(parameters),
      plansBlocks_(findPolicy(parameters.policy)->plansBlocks),
      pid_(configOf(parameters)) {}

void ThresholdTuner::step(double bytesPerSecond, double dt) {
  if (parameters_.writeLimit == 0 || dt <= 0) {
    return;
  }
  const auto limit = static_cast<double>(parameters_.writeLimit);
  pid_.step((bytesPerSecond - kAim * limit) / limit, dt);
}

Thresholds ThresholdTuner::thresholds() const {
  const double output = parameters_.writeLimit == 0 ? 0 : pid_.output();
  if (plansBlocks_) {
    const double window = std::chrono::duration<double>(parameters_.historyWindow).count();
    return {.admit = parameters_.minAdmitThreshold,
            .reinsert = parameters_.minAdmitThreshold + parameters_.reinsertOffset,
            .horizonSeconds =
                output == 0 ? std::numeric_limits<double>::infinity() : window * std::exp2(-output)};
  }
  const double admit = parameters_.minAdmitThreshold + output;
  return {.admit = admit,
          .reinsert = admit + parameters_.reinsertOffset,
          .horizonSeconds = std::numeric_limits<double>::infinity()};
}

PidConfig ThresholdTuner::configOf(const Parameters& parameters) {
  const bool plansBlocks = findPolicy(parameters.policy)->plansBlocks;
  const double max = plansBlocks ? kMaxHalvings : parameters.maxAdmitThreshold - parameters.minAdmitThreshold;
  return {.proportional = parameters.proportionalGain,
          .integral = parameters.integralGain,
          .derivative = parameters.derivativeGain,
          .min = 0,
          .max = max,
          .memory = parameters.integralGain * kMemorySeconds,
          .start = std::min(max, plansBlocks ? kStartHalvings : kStartThreshold)};
}

}  // namespace shift::control
