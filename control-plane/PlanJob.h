#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "control-plane/JobSpec.h"
#include "control-plane/PlanPartition.h"

namespace shift::control {

/** One job as the read plan knows it. Changed only with the plan's structure locked, but for the forecasts.
 */
struct PlanJob {
  std::string name;
  std::optional<JobSpec> spec;  // none: nobody announced it
  double announced = 0;
  /** What it will read, in order: the spec's partitions, then those it was seen in. */
  std::vector<PlanPartition*> sequence;
  std::unordered_map<const PlanPartition*, PlanReader*> readers;

  // Learned by forecasting, kept from one refresh to the next.
  SplitLayout layout;
  double splitRate = 0;  // bytes per second of one of its streams

  PlanReader* readerIn(const PlanPartition& partition) const {
    const auto entry = readers.find(&partition);
    return entry == readers.end() ? nullptr : entry->second;
  }
};

struct JobForecastConfig {
  double refreshSeconds = 10;
  double deadAfterSeconds = 3600;
  bool countAnnounced = true;
  double typicalJobRate = 0;  // of other jobs, for one that has not begun; 0 = none known
};

/**
 * Forecasts all that the job still has to read, partition after partition, and marks those stale where it
 * differs from the last forecast. Locks one partition after the other. Returns the job's rate in bytes of the
 * listing per second, 0 if it does not read now.
 */
double forecastJob(PlanJob& job, const JobForecastConfig& config, double now);

}  // namespace shift::control
