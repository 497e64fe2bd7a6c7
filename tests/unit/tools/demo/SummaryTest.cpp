#include "tools/demo/Summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/tools/demo/SampleFindings.h"

namespace shift::demo {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(Summary, SideBySideHasARowForEachPolicy) {
  const std::string table = sideBySideTable(sampleFindings().sideBySide);
  EXPECT_THAT(table, ContainsRegex("LRU +1000 B +50 B +5.0 % +950 B +900 B +18.00\n"));
  EXPECT_THAT(table, ContainsRegex("hybrid +1000 B +100 B +10.0 % +900 B +500 B +5.00\n"));
  EXPECT_THAT(table, ContainsRegex("planned +1000 B +250 B +25.0 % +750 B +250 B +1.00\n"));
}

TEST(Summary, RunsAreComparedWithTheOneWithoutACache) {
  const Findings found = sampleFindings();
  const std::string table = runsTable(found.noCache, found.runs);
  EXPECT_THAT(table, ContainsRegex("no cache +20.0 s +20.0 s +1.00 x +- +- +1000 B +- +-\n"));
  EXPECT_THAT(table, ContainsRegex("planned +10.0 s +10.0 s +2.00 x +250 B +25.0 % +750 B +250 B +1.00\n"));
}

TEST(Summary, NothingAbsorbedHasNoWritesPerAbsorbedByte) {
  EXPECT_THAT(sideBySideTable({{"LRU", workOf(0, 900)}}), ContainsRegex("0.0 % +1000 B +900 B +-\n"));
}

TEST(Summary, RankingNamesTheFirstFirst) {
  EXPECT_THAT(ranking(sampleFindings()), AllOf(HasSubstr("side by side:    planned > hybrid > LRU\n"),
                                               HasSubstr("runs of its own: planned > hybrid > LRU\n"),
                                               HasSubstr("planned < hybrid < LRU < no cache\n")));
}

TEST(Summary, RankingFollowsTheNumbersAndNotTheHope) {
  Findings found = sampleFindings();
  std::swap(found.sideBySide[0].work, found.sideBySide[2].work);
  found.runs[0].jobTimes = {5s};
  EXPECT_THAT(ranking(found), AllOf(HasSubstr("side by side:    LRU > hybrid > planned\n"),
                                    HasSubstr("LRU < planned < hybrid < no cache\n")));
}

TEST(Summary, WhatIsNearlyEqualIsCalledEqual) {
  Findings found = sampleFindings();
  found.noCache.jobTimes = {19'100ms};
  EXPECT_THAT(ranking(found), HasSubstr("planned < hybrid < LRU = no cache\n"));
}

TEST(Summary, ConclusionComparesTheBestWithLruAndTheFastestWithNone) {
  EXPECT_THAT(
      conclusion(sampleFindings()),
      AllOf(HasSubstr("planned absorbed most: 25.0 % of what it was asked for, 5.0 times LRU's 5.0 %"),
            HasSubstr("1.00 of flash written per absorbed byte instead of 18.00"),
            HasSubstr("fastest with planned on all nodes: 10.0 s on average, against 20.0 s")));
}

TEST(Summary, ConclusionDoesNotCompareWithNothing) {
  Findings found = sampleFindings();
  found.sideBySide[0].work = workOf(0, 900);
  EXPECT_THAT(conclusion(found), Not(HasSubstr("times LRU's")));
}

TEST(Summary, ConclusionDoesNotPraiseWhatIsNotFaster) {
  Findings found = sampleFindings();
  found.noCache.jobTimes = {9s};
  EXPECT_THAT(conclusion(found), AllOf(HasSubstr("No policy made the jobs faster than the 9.0 s"),
                                       Not(HasSubstr("fastest with"))));
}

}  // namespace
}  // namespace shift::demo
