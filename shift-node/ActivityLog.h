#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "common/Clock.h"
#include "control-plane/ThresholdTuner.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/** Sums since the node's start, at one time; the difference of two is what happened between them. */
struct ActivityPoint {
  TimePoint at;
  std::int64_t wallMs = 0;
  Traffic traffic;
  EngineTotals engine;
  std::uint64_t usedBytes = 0;
  control::Thresholds thresholds;  // without bound where there is no control plane
};

/**
 * What a node did over the last hour, sampled: so that anybody who asks, however seldom, is told rates over
 * a minute and an hour. Bounded. Thread-safe.
 */
class ActivityLog {
 public:
  static constexpr Duration kEvery = std::chrono::seconds(5);
  static constexpr Duration kKept = std::chrono::hours(1);

  /** `first` is how things stand at the start. */
  explicit ActivityLog(const ActivityPoint& first);

  /** Every kEvery; points are added in the order of their times. */
  void add(const ActivityPoint& point);

  /** The newest point that is at least `span` older than `now`; the oldest there is if none is. */
  ActivityPoint before(TimePoint now, Duration span) const;

  /** Those with a wall time after this, the oldest first. */
  std::vector<ActivityPoint> after(std::int64_t wallMs) const;

 private:
  mutable std::mutex mutex_;
  std::deque<ActivityPoint> points_;  // never empty
};

}  // namespace shift::node
