#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

#include "common/Clock.h"
#include "tools/sim/Trace.h"
#include "tools/text/ProgressLine.h"

namespace shift::sim {

/** Calls task(0) to task(count - 1), in this order, on as many threads as there are cores. What the first one
 * to fail throws is thrown again when all have ended. */
void runParallel(std::size_t count, const std::function<void(std::size_t)>& task);

/**
 * How far an experiment is, on standard error if that is a terminal: percent, time gone, time to go. The unit
 * of work is the caller's. Thread-safe.
 */
class Progress {
 public:
  explicit Progress(double totalWork);

  void advance(double work);
  /** To be handed to a run over this trace, which makes up `work` in all. */
  Meter meter(const Trace& trace, double work);

 private:
  const double totalWork_;
  const SystemClock clock_{};
  const TimePoint began_;
  std::mutex mutex_;
  tools::ProgressLine line_;
  TimePoint shown_;
  double done_ = 0;
};

}  // namespace shift::sim
