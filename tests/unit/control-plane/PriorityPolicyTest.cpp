#include "control-plane/PriorityPolicy.h"

#include <gtest/gtest.h>

namespace shift::control {
namespace {

TEST(PriorityPolicy, HistoricIsTotalOverUnique) {
  EXPECT_EQ(historicPriority({.totalBytes = 300, .uniqueBytes = 100, .futureJobs = 9}), 3);
  EXPECT_EQ(historicPriority({}), 0);
}

TEST(PriorityPolicy, FutureCountsJobsToCome) {
  EXPECT_EQ(futurePriority({.totalBytes = 300, .uniqueBytes = 100, .futureJobs = 2}), 2);
}

TEST(PriorityPolicy, HybridIsTheLarger) {
  EXPECT_EQ(hybridPriority({.totalBytes = 300, .uniqueBytes = 100, .futureJobs = 2}), 3);
  EXPECT_EQ(hybridPriority({.totalBytes = 100, .uniqueBytes = 100, .futureJobs = 2}), 2);
}

TEST(PriorityPolicy, IsFoundByName) {
  for (const char* name : {"historic", "future", "hybrid", "planned"}) {
    ASSERT_NE(findPolicy(name), nullptr) << name;
    EXPECT_EQ(findPolicy(name)->name, name);
  }
  EXPECT_TRUE(findPolicy("planned")->plansBlocks);
  EXPECT_FALSE(findPolicy("hybrid")->plansBlocks);
  EXPECT_EQ(findPolicy("lru"), nullptr);
}

}  // namespace
}  // namespace shift::control
