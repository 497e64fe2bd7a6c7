#pragma once

#include <atomic>

#include "common/Clock.h"
#include "common/Result.h"
#include "tools/demo/Stage.h"

namespace shift::demo {

struct TourConfig {
  StageConfig stage;
  std::string plot;   // where the chart goes
  bool keep = false;  // leave the last cluster up until `stop`
};

/**
 * The tour from end to end: a dataset on slow disks; the jobs without a cache; all policies side by side; a
 * run of each. Prints as it goes. Stops early, and in order, when `stop` becomes true.
 */
Status runTour(const TourConfig& config, const Clock& clock, const std::atomic<bool>& stop);

}  // namespace shift::demo
