#include "control-plane/PlanJob.h"

#include <algorithm>

namespace shift::control {

namespace {

/** What is known of the job as a whole before its partitions are gone through. */
struct JobActivity {
  double lastRead = 0;
  std::uint32_t epoch = 0;       // the latest that it has begun
  std::ptrdiff_t furthest = -1;  // index of the last partition of its spec with a read in that epoch
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
    if (reader.bySpec && reader.pass >= activity.epoch) {
      activity.epoch = reader.pass;
      activity.furthest = static_cast<std::ptrdiff_t>(i);
    }
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

/** Goes through what a job will read, partition after partition, and keeps the time. */
class JobCourse {
 public:
  JobCourse(PlanJob& job, const JobForecastConfig& config, const JobActivity& activity, double now)
      : job_(job),
        config_(config),
        begun_(activity.lastRead > 0),
        dead_(begun_ ? now - activity.lastRead > config.deadAfterSeconds : !config.countAnnounced),
        now_(now),
        layout_(job.layout),
        rate_(job.splitRate > 0 ? job.splitRate : config.typicalJobRate) {
    // A job that has not begun may do so at any time; the longer it has not, the longer it will not.
    starts_ = {begun_ ? now : now + std::max(config.refreshSeconds, now - job.announced)};
  }

  /** The pass that the reader is in, as far as it is not through with it. */
  void passOn(PlanPartition& partition, PlanReader& reader) {
    const ReadProgress& progress = reader.progress;
    if (progress.lastRead() > 0) {
      rate_ = meanStreamRate(progress, rate_);
    }
    ReadForecast next = expect(partition, reader, progress);
    if (canReckon() && progress.lastRead() > 0) {
      job_.layout = layout_ = layoutOf(progress, partition.totalBytes(), layout_);
      job_.splitRate = rate_;
    }
    moveOn(next, partition);
    replace(reader.forecast, std::move(next), partition);
  }

  /** A whole pass of a later epoch. */
  void passAgain(PlanPartition& partition, PlanReader& reader) {
    ReadProgress none;
    none.resize(partition.size());
    ReadForecast next = expect(partition, reader, none);
    moveOn(next, partition);
    replace(reader.again, std::move(next), partition);
  }

 private:
  /** Not of a job that is dead, nor before the first rate was measured. */
  bool canReckon() const { return !dead_ && rate_ > 0; }

  ReadForecast expect(const PlanPartition& partition, const PlanReader& reader,
                      const ReadProgress& progress) const {
    if (!canReckon()) {
      return {};
    }
    return forecast({.progress = progress,
                     .totalBytes = partition.totalBytes(),
                     .blockSpacing = partition.spacing(),
                     .ordered = reader.order != ReadOrder::kUnknown,
                     .layout = layout_.empty() && progress.lastRead() == 0 ? SplitLayout{0} : layout_,
                     .startTimes = starts_,
                     .rate = rate_,
                     .refreshSeconds = config_.refreshSeconds,
                     .now = now_});
  }

  void moveOn(const ReadForecast& through, const PlanPartition& partition) {
    if (canReckon()) {
      starts_ = finishTimes(through, layout_, partition.totalBytes(), now_);
    }
  }

  void replace(ReadForecast& known, ReadForecast next, PlanPartition& partition) const {
    if (next.differsFrom(known, now_)) {
      known = std::move(next);
      partition.setStale();
    }
  }

  PlanJob& job_;
  const JobForecastConfig& config_;
  const bool begun_;
  const bool dead_;
  const double now_;
  SplitLayout layout_;
  double rate_;  // of one of its streams
  std::vector<double> starts_;
};

/** Whether the reader has something left of the pass it is in. One that has moved on is through with it. */
bool isUnderWay(const PlanJob& job, const JobActivity& activity, std::size_t index,
                const JobForecastConfig& config, double now) {
  PlanPartition& partition = *job.sequence[index];
  PlanReader& reader = *job.readerIn(partition);
  const ReadProgress& progress = reader.progress;
  const bool complete = partition.isListed() && progress.count() >= progress.blocks();
  if (!reader.finished && !complete &&
      hasMovedOn(job, activity, index, progress, config.refreshSeconds, now)) {
    reader.finished = true;
    partition.setStale();
  }
  return !reader.finished && !complete;
}

}  // namespace

double forecastJob(PlanJob& job, const JobForecastConfig& config, double now) {
  const JobActivity activity = activityOf(job, now);
  JobCourse course(job, config, activity, now);
  // What is left of the epoch it is in: partitions it reads now, and those it has not come back to yet.
  std::vector<std::size_t> nextEpoch;
  for (std::size_t i = 0; i < job.sequence.size(); ++i) {
    PlanPartition& partition = *job.sequence[i];
    std::lock_guard lock(partition.mutex());
    PlanReader& reader = *job.readerIn(partition);
    if (partition.size() == 0) {
      continue;
    }
    const bool isBehind = reader.bySpec && reader.pass < activity.epoch;
    if (!isBehind && isUnderWay(job, activity, i, config, now)) {
      course.passOn(partition, reader);
    }
    if (isBehind && static_cast<std::ptrdiff_t>(i) > activity.furthest) {
      course.passAgain(partition, reader);
    } else if (reader.bySpec && activity.epoch + 1 < reader.passes) {
      nextEpoch.push_back(i);
    }
  }
  for (const std::size_t i : nextEpoch) {
    std::lock_guard lock(job.sequence[i]->mutex());
    course.passAgain(*job.sequence[i], *job.readerIn(*job.sequence[i]));
  }
  return activity.rate;
}

}  // namespace shift::control
