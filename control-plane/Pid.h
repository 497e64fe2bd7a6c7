#pragma once

namespace shift::control {

struct PidConfig {
  double proportional = 0;
  double integral = 0;
  double derivative = 0;
  double min = 0;  // of the output
  double max = 0;
  double start = 0;  // where the integral begins
};

/**
 * A PID controller and nothing else: no timer, no unit. Positive error raises the output. The integral never
 * leaves [min, max]: it does not wind up while the output can do no more.
 */
class Pid {
 public:
  explicit Pid(const PidConfig& config);

  /** `dt` in seconds, > 0. Returns the new output. */
  double step(double error, double dt);

  double output() const { return output_; }

  /** What the last step's output was added up from, before it was clamped. */
  struct Terms {
    double proportional = 0;
    double integral = 0;
    double derivative = 0;
  };
  Terms terms() const { return {proportional_, integral_, derivative_}; }

 private:
  PidConfig config_;
  double integral_;
  double output_;
  double proportional_ = 0;
  double derivative_ = 0;
  double lastError_ = 0;
  bool first_ = true;
};

}  // namespace shift::control
