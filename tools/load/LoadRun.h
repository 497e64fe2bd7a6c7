#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Waiter.h"
#include "tools/load/AccessPattern.h"
#include "tools/load/LoadReader.h"

namespace shift::load {

/** How much is read, by how many, and when. At least one of duration, reads and pattern.passes ends it. */
struct LoadConfig {
  PatternConfig pattern;
  std::uint32_t jobs = 1;
  std::uint32_t readers = 4;  // of each job, each a thread
  double readsPerSecond = 0;  // of all readers together; 0 = closed loop
  Duration duration{0};       // 0 = no limit
  std::uint64_t reads = 0;    // of all readers together; 0 = no limit
};

/** Reader `reader` of all `readers` together, numbered through: when it reads. Pure. */
Schedule scheduleOf(const LoadConfig& config, std::uint32_t reader, TimePoint begin);

/** The bytes that the whole load will read, if its pattern ends it; 0 if not. About, for columns. */
std::uint64_t expectedBytes(const LoadConfig& config, const std::vector<DataFile>& files);

struct LoadResult {
  std::vector<ReaderResult> jobs;
  std::uint32_t idleReaders = 0;  // had nothing to read: a scan has fewer parts than readers
  double seconds = 0;
  double cpuSeconds = 0;  // of this process, user and system

  ReaderResult total() const;
};

/** What the load reads from and compares with. All of it outlives the run. */
struct LoadParts {
  const std::vector<DataFile>& files;
  std::vector<std::unique_ptr<ReadTarget>> targets;  // one a job
  const store::BackingStore* reference = nullptr;    // nullptr: nothing is compared
  const Clock& clock;
  const Waiter& waiter;
  const std::atomic<bool>& stop;
};

/** Runs all readers at once, each on its thread; `show` is called several times a second with what is done.
 */
LoadResult runLoad(const LoadConfig& config, const LoadParts& parts,
                   const std::function<void(const LoadProgress&, double seconds)>& show);

}  // namespace shift::load
