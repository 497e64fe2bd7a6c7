#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Histogram.h"
#include "common/Waiter.h"
#include "tools/load/AccessPattern.h"
#include "tools/load/CheckedFile.h"

namespace shift::load {

/** What one reader, or several together, did. */
struct ReaderResult {
  Histogram latency;  // of every read that was tried, in nanoseconds
  std::uint64_t reads = 0;
  std::uint64_t bytes = 0;
  std::uint64_t failedReads = 0;
  std::uint64_t wrongReads = 0;
  std::uint64_t wrongBytes = 0;
  std::uint64_t changedReads = 0;
  std::string firstFault;  // of a failed or wrong read

  void merge(const ReaderResult& other);
};

/** When a reader reads. */
struct Schedule {
  TimePoint begin;
  TimePoint end = TimePoint::max();  // no read begins at or after it
  std::uint64_t maxReads = std::numeric_limits<std::uint64_t>::max();
  /**
   * Closed loop, if 0: each read begins when the last one is done. Otherwise open loop: read n is due at
   * begin + n × interval, however long those before it took, and its latency counts from then on. A slow
   * answer is thus paid for by all reads that it held up.
   */
  Duration interval{0};
};

/** What all readers have done so far; read by the progress line while they run. */
struct LoadProgress {
  std::atomic<std::uint64_t> reads{0};
  std::atomic<std::uint64_t> bytes{0};
};

/** What a reader works with. All of it outlives the reader. */
struct ReaderParts {
  const std::vector<DataFile>& files;
  ReadTarget& target;
  const store::BackingStore* reference;  // what to compare with; nullptr: nothing is compared
  const Clock& clock;
  const Waiter& waiter;
  const std::atomic<bool>& stop;
  LoadProgress& progress;
};

/**
 * One reader from begin to end: reads what the pattern says when the schedule says, until either ends or stop
 * is set. Opening a file and comparing its bytes are no part of a read's latency in a closed loop.
 */
ReaderResult runReader(AccessPattern& pattern, const Schedule& schedule, const ReaderParts& parts);

}  // namespace shift::load
