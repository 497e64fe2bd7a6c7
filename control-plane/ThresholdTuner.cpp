#include "control-plane/ThresholdTuner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "control-plane/PriorityPolicy.h"

namespace shift::control {

namespace {

/** Of the limit: what is saved up, or owed, at most. */
constexpr double kBudgetSeconds = 3600;
/** Of the limit: what is kept back, so that the budget does not run out in ordinary operation. */
constexpr double kReserveSeconds = 30;
/** In so many seconds the aim would bring the budget back to the reserve. */
constexpr double kRepaySeconds = 300;
/** Of the limit: the rate at which what was saved up is spent at most. */
constexpr double kMostAtOnce = 8;
/** A block's wait is felt at once, but writes come in bursts: `planned` is steered by their mean over this.
 */
constexpr double kSmoothSeconds = 20;
/** For `planned` the output counts halvings of the horizon, from the length of the window down. */
constexpr double kMaxHalvings = 20;
constexpr double kStartHalvings = 10;
constexpr double kStartThreshold = 4;
/** Of the logarithm that `planned` is steered by, whatever was written. */
constexpr double kMaxOctaves = 3;

}  // namespace

ThresholdTuner::ThresholdTuner(const Parameters& parameters)
    : parameters_(parameters),
      limit_(static_cast<double>(parameters.writeLimit)),
      plansBlocks_(findPolicy(parameters.policy)->plansBlocks),
      pid_(configOf(parameters)) {}

void ThresholdTuner::step(double bytesPerSecond, double dt) {
  if (limit_ == 0 || dt <= 0) {
    return;
  }
  budget_ =
      std::clamp(budget_ + (limit_ - bytesPerSecond) * dt, -kBudgetSeconds * limit_, kBudgetSeconds * limit_);
  const double spare = budget_ - kReserveSeconds * limit_;
  rate_ = bytesPerSecond;
  aim_ = std::clamp(limit_ + spare / kRepaySeconds, 0.0, kMostAtOnce * limit_);
  smoothed_ += (bytesPerSecond - smoothed_) * (1 - std::exp(-dt / kSmoothSeconds));
  error_ = error(bytesPerSecond, aim_);
  pid_.step(error_, dt);
}

ThresholdTuner::State ThresholdTuner::state() const {
  return {.writeLimit = limit_,
          .writeRate = rate_,
          .aim = aim_,
          .budget = budget_,
          .error = error_,
          .terms = pid_.terms(),
          .output = pid_.output()};
}

double ThresholdTuner::error(double bytesPerSecond, double aim) const {
  if (!plansBlocks_) {
    return (bytesPerSecond - aim) / limit_;
  }
  // The rate goes with a power of the horizon, so that in logarithms each step helps as much as the last.
  const double least = limit_ * std::exp2(-kMaxOctaves);
  const double octaves = std::log2(std::max(smoothed_, least) / std::max(aim, least));
  return std::clamp(octaves, -kMaxOctaves, kMaxOctaves);
}

Thresholds ThresholdTuner::thresholds() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double output = limit_ == 0 ? 0 : pid_.output();
  const bool spent = limit_ != 0 && budget_ <= 0;
  if (plansBlocks_) {
    const double window = std::chrono::duration<double>(parameters_.historyWindow).count();
    const double horizon = output == 0 ? kInfinity : window * std::exp2(-output);
    return {.admit = parameters_.minAdmitThreshold,
            .reinsert = parameters_.minAdmitThreshold + parameters_.reinsertOffset,
            .horizonSeconds = spent ? 0 : horizon};
  }
  const double admit = spent ? kInfinity : parameters_.minAdmitThreshold + output;
  return {.admit = admit, .reinsert = admit + parameters_.reinsertOffset, .horizonSeconds = kInfinity};
}

bool ThresholdTuner::suits(const Parameters& parameters) const {
  const auto whatMatters = [](const Parameters& all) {
    return std::tie(all.policy, all.minAdmitThreshold, all.maxAdmitThreshold, all.reinsertOffset,
                    all.historyWindow, all.writeLimit, all.proportionalGain, all.integralGain,
                    all.derivativeGain);
  };
  return whatMatters(parameters) == whatMatters(parameters_);
}

PidConfig ThresholdTuner::configOf(const Parameters& parameters) {
  const bool plansBlocks = findPolicy(parameters.policy)->plansBlocks;
  const double max = plansBlocks ? kMaxHalvings : parameters.maxAdmitThreshold - parameters.minAdmitThreshold;
  return {.proportional = parameters.proportionalGain,
          .integral = parameters.integralGain,
          .derivative = parameters.derivativeGain,
          .min = 0,
          .max = max,
          .start = std::min(max, plansBlocks ? kStartHalvings : kStartThreshold)};
}

}  // namespace shift::control
