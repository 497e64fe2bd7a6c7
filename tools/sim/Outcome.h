#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace shift::sim {

/** What became of one request. */
struct Served {
  double time = 0;
  std::uint32_t length = 0;        // asked for
  bool hit = false;                // answered without any fetch
  std::uint32_t servedBytes = 0;   // of `length`, what the node returned; 0: refused
  std::uint32_t filledBytes = 0;   // of these, what was not held
  std::uint64_t fetchedBytes = 0;  // read from the backing store for it, in whole segments
};

/** What became of a trace under one policy, at one node. */
struct Outcome {
  /** Of `absorbedPerPeriod`. */
  static constexpr double kPeriodSeconds = 600;

  double countFrom = 0;  // seconds; what happens before only warms the cache up
  std::uint64_t requests = 0;
  std::uint64_t hits = 0;          // requests answered without any fetch
  std::uint64_t readBytes = 0;     // asked for
  std::uint64_t servedBytes = 0;   // returned by the node, from cache or after a fill
  std::uint64_t filledBytes = 0;   // asked for, not held, and fetched
  std::uint64_t fetchedBytes = 0;  // from the backing store, by the node, in whole segments: cache fills
  std::uint64_t writtenBytes = 0;  // to flash, reinserted ones included
  std::uint64_t reinsertedBytes = 0;
  double seconds = 0;
  std::vector<double> absorbedPerPeriod;

  bool counts(double time) const { return time >= countFrom; }

  void add(const Served& request) {
    if (!counts(request.time)) {
      return;
    }
    ++requests;
    hits += request.hit ? 1 : 0;
    readBytes += request.length;
    servedBytes += request.servedBytes;
    filledBytes += request.filledBytes;
    fetchedBytes += request.fetchedBytes;
    const auto period = static_cast<std::size_t>((request.time - countFrom) / kPeriodSeconds);
    absorbedPerPeriod.resize(std::max(absorbedPerPeriod.size(), period + 1));
    absorbedPerPeriod[period] +=
        static_cast<double>(request.servedBytes) - static_cast<double>(request.fetchedBytes);
  }

  void addWrite(double time, std::uint64_t bytes) { writtenBytes += counts(time) ? bytes : 0; }

  /** The top line: what the backing store was spared. */
  double absorbedBytes() const {
    return static_cast<double>(servedBytes) - static_cast<double>(fetchedBytes);
  }
  double absorbedShare() const {
    return readBytes == 0 ? 0 : absorbedBytes() / static_cast<double>(readBytes);
  }
  /** All that disks read: fills, and what clients read themselves after a refusal. */
  double diskBytes() const { return static_cast<double>(readBytes) - absorbedBytes(); }
  double hitRate() const {
    return requests == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(requests);
  }
  /** Bytes fetched for each that was asked for and missing; 1 = nothing too much. */
  double overFetch() const {
    return filledBytes == 0 ? 1 : static_cast<double>(fetchedBytes) / static_cast<double>(filledBytes);
  }
};

}  // namespace shift::sim
