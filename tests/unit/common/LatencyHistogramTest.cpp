#include "common/LatencyHistogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

namespace shift {
namespace {

using namespace std::chrono_literals;

TEST(LatencyHistogram, CountsALimitWithWhatIsBelowIt) {
  LatencyHistogram histogram;
  histogram.record(0ns);
  histogram.record(10us);
  histogram.record(10us + 1ns);
  histogram.record(10s);
  histogram.record(10s + 1ns);
  const LatencyHistogram::Counts counts = histogram.counts();
  EXPECT_EQ(counts.each[0], 2u);
  EXPECT_EQ(counts.each[1], 1u);
  EXPECT_EQ(counts.each[LatencyHistogram::kLimits.size() - 1], 1u);
  EXPECT_EQ(counts.each[LatencyHistogram::kLimits.size()], 1u) << "longer than every limit";
  EXPECT_EQ(counts.sum, 20s + 20us + 2ns);
}

TEST(LatencyHistogram, HasRisingLimits) {
  EXPECT_TRUE(std::is_sorted(LatencyHistogram::kLimits.begin(), LatencyHistogram::kLimits.end()));
}

TEST(LatencyHistogram, LosesNothingThatThreadsRecordAtOnce) {
  LatencyHistogram histogram;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&histogram] {
      for (int n = 0; n < 10'000; ++n) {
        histogram.record(std::chrono::microseconds(n));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const LatencyHistogram::Counts counts = histogram.counts();
  EXPECT_EQ(std::accumulate(counts.each.begin(), counts.each.end(), std::uint64_t{0}), 40'000u);
  EXPECT_EQ(counts.sum, 4 * std::chrono::microseconds(10'000 * 9'999 / 2));
}

}  // namespace
}  // namespace shift
