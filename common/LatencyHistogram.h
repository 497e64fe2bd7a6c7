#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "common/Clock.h"

namespace shift {

/**
 * How long something took, each time, in fixed steps from 10 us to 10 s: for metrics, where many threads
 * record and somebody looks now and then. Recording costs two relaxed additions. common/Histogram.h is the
 * precise one, for benchmarks. Thread-safe.
 */
class LatencyHistogram {
 public:
  /** Up to and including so long; what took longer than the last is counted after it. */
  static constexpr std::array<Duration, 19> kLimits = {
      std::chrono::microseconds(10),   std::chrono::microseconds(25),   std::chrono::microseconds(50),
      std::chrono::microseconds(100),  std::chrono::microseconds(250),  std::chrono::microseconds(500),
      std::chrono::microseconds(1000), std::chrono::microseconds(2500), std::chrono::milliseconds(5),
      std::chrono::milliseconds(10),   std::chrono::milliseconds(25),   std::chrono::milliseconds(50),
      std::chrono::milliseconds(100),  std::chrono::milliseconds(250),  std::chrono::milliseconds(500),
      std::chrono::milliseconds(1000), std::chrono::milliseconds(2500), std::chrono::seconds(5),
      std::chrono::seconds(10)};

  void record(Duration took);

  struct Counts {
    std::array<std::uint64_t, kLimits.size() + 1> each{};  // by limit, not summed up
    Duration sum{};
  };
  /** What was recorded by other threads meanwhile may be in it in part. */
  Counts counts() const;

 private:
  std::array<std::atomic<std::uint64_t>, kLimits.size() + 1> counts_{};
  std::atomic<std::int64_t> nanoseconds_{0};
};

}  // namespace shift
