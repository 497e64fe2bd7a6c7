#pragma once

#include <string>

#include "bench/report/BenchReport.h"

namespace shift::bench {

struct PathOptions {
  std::string directory;  // for everything that is made; removed afterwards
  std::string binaries;   // where shift-node is
  double seconds = 1;     // of a turn
  int rounds = 9;
};

// The parts of the benchmark. Each starts what it measures and ends it.

/** Reads of 1 MiB by four threads, from memory: throughput and processor time against the bare loop and
 * peers.
 */
void measureDramHits(BenchReport& report, const PathOptions& options);
/** Random reads of 256 KiB by one thread: how long they take, against the same. */
void measureLatency(BenchReport& report, const PathOptions& options);
/** Reads of 1 MiB by four threads from flash, against the engine alone. */
void measureFlashHits(BenchReport& report, const PathOptions& options);
/** What a GiB costs when more connections read at once. */
void measureConnections(BenchReport& report, const PathOptions& options);
/** What a get costs when more segments are cached. */
void measureSegments(BenchReport& report, const PathOptions& options);

}  // namespace shift::bench
