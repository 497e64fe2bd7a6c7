#include "client-lib/Hedge.h"

#include <gtest/gtest.h>

#include <random>

namespace shift::client {
namespace {

using namespace std::chrono_literals;

TEST(LatencyEstimate, WhatIsUnusualFollowsWhatIsUsual) {
  LatencyEstimate latency;
  EXPECT_EQ(latency.unusual(), 0ns);
  for (int i = 0; i < 200; ++i) {
    latency.add(1ms);
  }
  EXPECT_GE(latency.unusual(), 1ms);
  EXPECT_LT(latency.unusual(), 2ms) << "steady answers leave little patience";
  for (int i = 0; i < 200; ++i) {
    latency.add(i % 2 == 0 ? 1ms : 9ms);
  }
  EXPECT_GT(latency.unusual(), 15ms) << "unsteady ones leave much";
}

TEST(HedgeBudget, NeverSpendsMoreThanItsShare) {
  std::mt19937 random(3);
  HedgeBudget budget(0.05);
  double gets = 0;
  double hedges = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::size_t asked = 1 + random() % 8;
    budget.earn(asked);
    gets += static_cast<double>(asked);
    if (random() % 3 == 0 && budget.spend(asked)) {
      hedges += static_cast<double>(asked);
    }
    ASSERT_LE(hedges, 0.05 * gets + 1e-6);
  }
  EXPECT_GT(hedges, 0.045 * gets) << "and uses it where there is need";
}

TEST(HedgeBudget, KeepsOnlyAFewForLater) {
  HedgeBudget budget(0.05);
  budget.earn(1'000'000);
  int spent = 0;
  while (budget.spend(1)) {
    ++spent;
  }
  EXPECT_EQ(spent, 16);
}

}  // namespace
}  // namespace shift::client
