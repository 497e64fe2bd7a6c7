#include "common/Histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace shift {
namespace {

TEST(Histogram, OfNothingIsZero) {
  const Histogram none;
  EXPECT_EQ(none.count(), 0u);
  EXPECT_EQ(none.quantile(0.5), 0u);
  EXPECT_EQ(none.max(), 0u);
  EXPECT_EQ(none.mean(), 0.0);
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (std::uint64_t value = 0; value <= 100; ++value) {
    histogram.record(value);
  }
  EXPECT_EQ(histogram.quantile(0), 0u);
  EXPECT_EQ(histogram.quantile(0.5), 50u);
  EXPECT_EQ(histogram.quantile(0.99), 99u);
  EXPECT_EQ(histogram.quantile(1), 100u);
  EXPECT_DOUBLE_EQ(histogram.mean(), 50.0);
}

TEST(Histogram, TakesTheLargestValueThereIs) {
  Histogram histogram;
  histogram.record(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(histogram.quantile(0.5), std::numeric_limits<std::uint64_t>::max());
}

TEST(Histogram, NoQuantileIsAboveTheLargestValue) {
  Histogram histogram;
  histogram.record(1'000'001);
  EXPECT_EQ(histogram.quantile(0.999), 1'000'001u);
}

class HistogramProperty : public testing::TestWithParam<unsigned> {};

TEST_P(HistogramProperty, QuantilesAreNeverTooSmallAndLessThanOnePart128TooLarge) {
  std::mt19937_64 random(GetParam());
  // Over many orders of magnitude, and bunched in some runs.
  std::lognormal_distribution<double> spread(5 + GetParam() % 15, 0.1 + GetParam() % 5);
  std::vector<std::uint64_t> values(5000);
  Histogram halves[2];
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint64_t>(std::min(spread(random), 1e18));
    halves[i % 2].record(values[i]);
  }
  halves[0].merge(halves[1]);
  std::sort(values.begin(), values.end());
  for (const double q : {0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
    const std::uint64_t truth = values[rank - 1];
    const std::uint64_t told = halves[0].quantile(q);
    EXPECT_GE(told, truth) << q;
    EXPECT_LE(static_cast<double>(told - truth), static_cast<double>(truth) / 128) << q;
  }
  EXPECT_EQ(halves[0].count(), values.size());
  EXPECT_EQ(halves[0].max(), values.back());
}

INSTANTIATE_TEST_SUITE_P(Seeds, HistogramProperty, testing::Range(1u, 31u));

}  // namespace
}  // namespace shift
