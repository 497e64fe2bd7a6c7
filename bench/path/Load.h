#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/path/Contestant.h"
#include "bench/path/Dataset.h"
#include "common/Histogram.h"

namespace shift::bench {

/** What one turn gave. */
struct Turn {
  double mebibytesPerSecond = 0;
  double cpuSecondsPerGiB = 0;  // of clients and servers together
};

/** All turns of one contestant. */
struct Turns {
  void add(const Turn& turn) {
    throughput.push_back(turn.mebibytesPerSecond);
    cpu.push_back(turn.cpuSecondsPerGiB);
  }
  std::vector<double> throughput;
  std::vector<double> cpu;
};

/** A thread for each session reads random items for so long. */
Turn readAtRandom(const Contestant& contestant, std::span<const std::unique_ptr<Session>> sessions,
                  const Dataset& dataset, double seconds);

/** One thread reads random items for so long; nanoseconds of each read. */
void recordLatencies(Session& session, const Dataset& dataset, double seconds, Histogram& latencies);

/** Reads every item once and compares every byte; throws std::runtime_error at the first that differs. */
void checkEveryByte(const std::string& name, Session& session, const Dataset& dataset);

/** Calls `turn` for each of `count` contestants in every round; whoever goes first in one does not in the
 * next. */
void interleave(int rounds, std::size_t count, const std::function<void(std::size_t)>& turn);

}  // namespace shift::bench
