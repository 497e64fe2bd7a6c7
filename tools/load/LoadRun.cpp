#include "tools/load/LoadRun.h"

#include <sys/resource.h>

#include <future>

namespace shift::load {
namespace {

constexpr Duration kShowEvery = std::chrono::milliseconds(200);

double cpuSecondsNow() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

Schedule scheduleOf(const LoadConfig& config, std::uint32_t reader, TimePoint begin) {
  const std::uint32_t readers = config.jobs * config.readers;
  Schedule schedule{.begin = begin};
  if (config.duration > Duration(0)) {
    schedule.end = begin + config.duration;
  }
  if (config.reads > 0) {
    schedule.maxReads = config.reads / readers + (reader < config.reads % readers ? 1 : 0);
  }
  if (config.readsPerSecond > 0) {
    const double between = 1e9 / config.readsPerSecond;  // two reads of all readers
    schedule.interval = Duration(std::max<std::int64_t>(1, static_cast<std::int64_t>(between * readers)));
    schedule.begin += Duration(static_cast<std::int64_t>(between * reader));
  }
  return schedule;
}

std::uint64_t expectedBytes(const LoadConfig& config, const std::vector<DataFile>& files) {
  std::uint64_t bytes = 0;
  for (const DataFile& file : files) {
    bytes += file.size;
  }
  const double share = config.pattern.kind == PatternKind::kColumns ? config.pattern.selected : 1;
  return static_cast<std::uint64_t>(static_cast<double>(bytes * config.pattern.passes * config.jobs) * share);
}

ReaderResult LoadResult::total() const {
  ReaderResult sum;
  for (const ReaderResult& job : jobs) {
    sum.merge(job);
  }
  return sum;
}

LoadResult runLoad(const LoadConfig& config, const LoadParts& parts,
                   const std::function<void(const LoadProgress&, double seconds)>& show) {
  LoadProgress progress;
  LoadResult result;
  result.jobs.resize(config.jobs);
  const double cpuBefore = cpuSecondsNow();
  const TimePoint begin = parts.clock.now();
  const auto secondsSoFar = [&] { return std::chrono::duration<double>(parts.clock.now() - begin).count(); };
  std::vector<std::future<ReaderResult>> readers;
  for (std::uint32_t job = 0; job < config.jobs; ++job) {
    for (std::uint32_t reader = 0; reader < config.readers; ++reader) {
      readers.push_back(std::async(std::launch::async, [&, job, reader] {
        const auto pattern = makePattern(config.pattern, parts.files, {job, reader, config.readers});
        return runReader(*pattern, scheduleOf(config, job * config.readers + reader, begin),
                         {.files = parts.files,
                          .target = *parts.targets[job],
                          .reference = parts.reference,
                          .clock = parts.clock,
                          .waiter = parts.waiter,
                          .stop = parts.stop,
                          .progress = progress});
      }));
    }
  }
  for (std::size_t i = 0; i < readers.size(); ++i) {
    do {
      show(progress, secondsSoFar());
    } while (readers[i].wait_for(kShowEvery) == std::future_status::timeout);
    const ReaderResult done = readers[i].get();
    result.idleReaders += done.reads == 0 ? 1 : 0;
    result.jobs[i / config.readers].merge(done);
  }
  result.seconds = secondsSoFar();
  result.cpuSeconds = cpuSecondsNow() - cpuBefore;
  show(progress, result.seconds);
  return result;
}

}  // namespace shift::load
