#include "control-plane/Pid.h"

#include <algorithm>

namespace shift::control {

Pid::Pid(const PidConfig& config)
    : config_(config), integral_(config.start), output_(std::clamp(config.start, config.min, config.max)) {}

double Pid::step(double error, double dt) {
  integral_ = std::clamp(integral_ + config_.integral * error * dt, config_.min, config_.max);
  const double slope = first_ ? 0 : (error - lastError_) / dt;
  first_ = false;
  lastError_ = error;
  proportional_ = config_.proportional * error;
  derivative_ = config_.derivative * slope;
  output_ = std::clamp(proportional_ + integral_ + derivative_, config_.min, config_.max);
  return output_;
}

}  // namespace shift::control
