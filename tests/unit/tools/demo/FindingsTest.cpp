#include "tools/demo/Findings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace shift::demo {
namespace {

using namespace std::chrono_literals;

TEST(NodeWork, AbsorbedIsWhatWasServedWithoutBeingFetched) {
  const NodeWork work{.requestedBytes = 1000, .servedBytes = 600, .fetchedBytes = 350, .flashBytes = 500};
  EXPECT_DOUBLE_EQ(work.absorbedBytes(), 250);
  EXPECT_DOUBLE_EQ(work.absorbedShare(), 0.25);
  EXPECT_DOUBLE_EQ(work.writesPerAbsorbedByte(), 2);
}

TEST(NodeWork, ReadsThatWereRefusedAreReadsOfTheDisksToo) {
  const NodeWork work{.requestedBytes = 1000, .servedBytes = 600, .fetchedBytes = 350};
  EXPECT_EQ(work.diskBytes(), 750u) << "350 by the node, 400 by the clients it refused";
}

TEST(NodeWork, FetchingMoreThanIsServedAbsorbsLessThanNothing) {
  const NodeWork work{.requestedBytes = 100, .servedBytes = 100, .fetchedBytes = 300, .flashBytes = 300};
  EXPECT_DOUBLE_EQ(work.absorbedShare(), -2);
  EXPECT_TRUE(std::isinf(work.writesPerAbsorbedByte()));
}

TEST(NodeWork, OfANodeThatWasNotAskedTheShareIsZero) {
  EXPECT_DOUBLE_EQ(NodeWork{}.absorbedShare(), 0);
}

TEST(NodeWork, IsAddedUpOverNodes) {
  NodeWork sum{.requestedBytes = 1, .servedBytes = 2, .fetchedBytes = 3, .flashBytes = 4};
  sum += {.requestedBytes = 10, .servedBytes = 20, .fetchedBytes = 30, .flashBytes = 40};
  EXPECT_EQ(sum.requestedBytes, 11u);
  EXPECT_EQ(sum.servedBytes, 22u);
  EXPECT_EQ(sum.fetchedBytes, 33u);
  EXPECT_EQ(sum.flashBytes, 44u);
}

TEST(RunFinding, KnowsTheMeanAndTheLongestJobTime) {
  const RunFinding run{.jobTimes = {10s, 20s, 60s}};
  EXPECT_EQ(run.meanJobTime(), 30s);
  EXPECT_EQ(run.longestJobTime(), 60s);
  EXPECT_EQ(RunFinding{}.meanJobTime(), 0s);
}

}  // namespace
}  // namespace shift::demo
