#include "control-plane/PlanJob.h"

#include <algorithm>

namespace shift::control {

namespace {

/** What is known of the job as a whole before its partitions are gone through. */
struct JobActivity {
  double lastRead = 0;
  std::ptrdiff_t furthest = -1;  // index of the last partition of its spec with a read
  double rate = 0;
};

JobActivity activityOf(PlanJob& job, double now) {
  JobActivity activity;
  for (std::size_t i = 0; i < job.sequence.size(); ++i) {
    PlanPartition& partition = *job.sequence[i];
    std::lock_guard lock(partition.mutex());
    PlanReader& reader = *job.readerIn(partition);
    ReadProgress& progress = reader.progress;
    progress.measure(now);
    if (progress.lastRead() == 0) {
      continue;
    }
    activity.lastRead = std::max(activity.lastRead, progress.lastRead());
    activity.furthest = reader.bySpec ? static_cast<std::ptrdiff_t>(i) : activity.furthest;
    const bool reading = now - progress.lastRead() < 60;
    activity.rate += reading ? progress.blockRate() * partition.spacing() : 0;
  }
  return activity;
}

/** The rate of one stream, taken over those that have been measured. */
double meanStreamRate(const ReadProgress& progress, double fallback) {
  double sum = 0;
  unsigned count = 0;
  for (const ReadStream& stream : progress.streams()) {
    if (stream.rate > 0) {
      sum += stream.rate;
      ++count;
    }
  }
  return count == 0 ? fallback : sum / count;
}

/** When each split of the layout is through with this partition, so that its reader goes on to the next. */
std::vector<double> finishTimes(const ReadForecast& forecast, const SplitLayout& layout, double totalBytes,
                                double now) {
  std::vector<double> times(std::max<std::size_t>(1, layout.size()), now);
  if (forecast.isSpread()) {
    std::ranges::fill(times, 2 * forecast.at(0) - now);  // at() is the middle of what is left
    return times;
  }
  for (const ReadForecast::Leg& leg : forecast.legs()) {
    std::size_t split = 0;
    while (split + 1 < layout.size() && layout[split + 1] * totalBytes <= leg.start) {
      ++split;
    }
    times[split] = std::max(times[split], leg.finish());
  }
  return times;
}

/** A job that has gone on to a later partition and is silent in this one is through with it. */
bool hasMovedOn(const PlanJob& job, const JobActivity& activity, std::size_t index,
                const ReadProgress& progress, double refreshSeconds, double now) {
  return job.spec.has_value() && static_cast<std::ptrdiff_t>(index) < activity.furthest &&
         now - progress.lastRead() > 2 * refreshSeconds && activity.lastRead > progress.lastRead();
}

}  // namespace

double forecastJob(PlanJob& job, const JobForecastConfig& config, double now) {
  const JobActivity activity = activityOf(job, now);
  const bool begun = activity.lastRead > 0;
  const bool dead = begun ? now - activity.lastRead > config.deadAfterSeconds : !config.countAnnounced;

  // A job that has not begun may do so at any time; the longer it has not, the longer it will not.
  std::vector<double> starts = {begun ? now : now + std::max(config.refreshSeconds, now - job.announced)};
  SplitLayout layout = job.layout;
  double rate = job.splitRate > 0 ? job.splitRate : config.typicalJobRate;
  for (std::size_t i = 0; i < job.sequence.size(); ++i) {
    PlanPartition& partition = *job.sequence[i];
    std::lock_guard lock(partition.mutex());
    PlanReader& reader = *job.readerIn(partition);
    const ReadProgress& progress = reader.progress;
    const bool complete = partition.isListed() && progress.count() >= progress.blocks();
    if (!reader.finished && !complete && hasMovedOn(job, activity, i, progress, config.refreshSeconds, now)) {
      reader.finished = true;
      partition.setStale();
    }
    if (reader.finished || complete || partition.size() == 0) {
      continue;
    }
    ReadForecast next;
    if (!dead) {
      if (progress.lastRead() > 0) {
        rate = meanStreamRate(progress, rate);
      }
      if (rate <= 0) {
        continue;  // nothing to reckon with before the first rate was measured
      }
      next = forecast({.progress = progress,
                       .totalBytes = partition.totalBytes(),
                       .blockSpacing = partition.spacing(),
                       .ordered = reader.order != ReadOrder::kUnknown,
                       .layout = layout.empty() && progress.lastRead() == 0 ? SplitLayout{0} : layout,
                       .startTimes = starts,
                       .rate = rate,
                       .refreshSeconds = config.refreshSeconds,
                       .now = now});
      if (progress.lastRead() > 0) {
        job.layout = layout = layoutOf(progress, partition.totalBytes(), layout);
        job.splitRate = rate;
      }
      starts = finishTimes(next, layout, partition.totalBytes(), now);
    }
    if (next.differsFrom(reader.forecast, now)) {
      reader.forecast = std::move(next);
      partition.setStale();
    }
  }
  return activity.rate;
}

}  // namespace shift::control
