#include "tools/load/Zipf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace shift::load {
namespace {

class ZipfDistribution : public testing::TestWithParam<double> {};

TEST_P(ZipfDistribution, EachRankComesAsOftenAsItsShare) {
  constexpr std::uint64_t kRanks = 200;
  constexpr int kDraws = 400'000;
  const Zipf zipf(kRanks, GetParam());
  std::vector<int> seen(kRanks);
  for (int i = 0; i < kDraws; ++i) {
    Draw draw(i);
    ++seen.at(zipf.rank(draw));
  }
  double weights = 0;
  for (std::uint64_t rank = 0; rank < kRanks; ++rank) {
    weights += std::pow(rank + 1, -GetParam());
  }
  double chiSquare = 0;
  int classes = 0;
  for (std::uint64_t rank = 0; rank < kRanks; ++rank) {
    const double expected = kDraws * std::pow(rank + 1, -GetParam()) / weights;
    if (expected >= 5) {
      chiSquare += (seen[rank] - expected) * (seen[rank] - expected) / expected;
      ++classes;
    }
  }
  // Mean and variance of a chi-square are n and 2n: four standard deviations.
  EXPECT_LT(chiSquare, classes + 4 * std::sqrt(2.0 * classes));
}

INSTANTIATE_TEST_SUITE_P(Exponents, ZipfDistribution,
                         testing::Values(0.0, 0.5, 0.9, 1.0, 1.0 + 1e-9, 1.2, 3.0));

TEST(Zipf, ManyRanksNeedNoTable) {
  const Zipf zipf(std::uint64_t{1} << 40, 0.9);
  std::uint64_t largest = 0;
  for (int i = 0; i < 1000; ++i) {
    Draw draw(i);
    largest = std::max(largest, zipf.rank(draw));
  }
  EXPECT_LT(largest, std::uint64_t{1} << 40);
  EXPECT_GT(largest, std::uint64_t{1} << 30);
}

TEST(Zipf, OfOneRankIsThatRank) {
  Draw draw(1);
  EXPECT_EQ(Zipf(1, 0.9).rank(draw), 0u);
  EXPECT_EQ(Zipf(1, 0).rank(draw), 0u);
}

TEST(Permutation, MeetsEachPlaceOnce) {
  for (const std::uint64_t count : {1u, 2u, 12u, 97u, 1000u}) {
    const Permutation permutation(count, 7);
    std::set<std::uint64_t> places;
    for (std::uint64_t i = 0; i < count; ++i) {
      places.insert(permutation.at(i));
    }
    EXPECT_EQ(places.size(), count);
    EXPECT_EQ(*places.rbegin(), count - 1);
  }
}

}  // namespace
}  // namespace shift::load
