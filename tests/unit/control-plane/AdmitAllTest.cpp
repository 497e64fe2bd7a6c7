#include "control-plane/AdmitAll.h"

#include <gtest/gtest.h>

namespace shift::control {
namespace {

TEST(AdmitAll, AdmitsWithTheBlockAsGroupAndOneScoreForAll) {
  AdmitAll policy;
  ReadRequest first;
  first.block = {1, 2};
  ReadRequest second;
  second.block = {3, 4};
  const Decision one = policy.decide(first, 0, TimePoint());
  const Decision two = policy.decide(second, 1e9, TimePoint());
  EXPECT_TRUE(one.admit);
  EXPECT_TRUE(two.admit);
  EXPECT_EQ(one.group, first.block);
  EXPECT_EQ(one.score, two.score);
  EXPECT_EQ(toString(one.reason), "admit-all");
  EXPECT_FALSE(policy.reinsert(first.block, TimePoint()));
}

}  // namespace
}  // namespace shift::control
