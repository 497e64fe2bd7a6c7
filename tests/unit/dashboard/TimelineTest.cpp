#include "dashboard/Timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/dashboard/FakeNode.h"

namespace shift::dashboard {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kStart = 1'000'000;  // at the beginning of a step

Timeline timelineOf(const std::vector<wire::HistoryPoint>& points) {
  Timeline timeline;
  timeline.add(points, points.empty() ? 0 : points.back().atMs);
  return timeline;
}

std::vector<Step> steps(const std::vector<const Timeline*>& nodes, std::int64_t untilMs) {
  return stepsOf(nodes, 0, untilMs);
}

TEST(Timeline, PassesOverWhatIsKnownAndForgetsWhatIsOlderThanAnHour) {
  Timeline timeline;
  timeline.add({pointAt(kStart, 0), pointAt(kStart + 5000, 10)}, kStart + 5000);
  timeline.add({pointAt(kStart + 5000, 10), pointAt(kStart + 10000, 20)}, kStart + 10000);
  EXPECT_THAT(timeline.samples(), SizeIs(3));
  timeline.add({pointAt(kStart + kHourMs + 5000, 30)}, kStart + kHourMs + 5000);
  EXPECT_THAT(timeline.samples(), SizeIs(3)) << "the first is forgotten";
  EXPECT_EQ(timeline.newestMs(), kStart + kHourMs + 5000);
}

TEST(Timeline, NodesThatSampleAtOtherTimesAddUp) {
  const Timeline one =
      timelineOf({pointAt(kStart, 0), pointAt(kStart + 5000, 100), pointAt(kStart + 10000, 100)});
  const Timeline other =
      timelineOf({pointAt(kStart + 2500, 0), pointAt(kStart + 7500, 200), pointAt(kStart + 12500, 200)});
  const std::vector<Step> both = steps({&one, &other}, kStart + 10000);
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(both[0].endMs, kStart + 5000);
  EXPECT_DOUBLE_EQ(both[0].volume.served, 200);
  EXPECT_DOUBLE_EQ(both[1].volume.served, 100);
}

TEST(Timeline, ARestartIsNotANegativeRate) {
  const Timeline node =
      timelineOf({pointAt(kStart, 1000), pointAt(kStart + 5000, 1500), pointAt(kStart + 10000, 30)});
  const std::vector<Step> told = steps({&node}, kStart + 10000);
  ASSERT_THAT(told, SizeIs(2));
  EXPECT_DOUBLE_EQ(told[0].volume.served, 500);
  EXPECT_DOUBLE_EQ(told[1].volume.served, 30);
}

TEST(Timeline, WhatFollowsALongSilenceIsNotSpreadOverIt) {
  const Timeline node = timelineOf({pointAt(kStart, 0), pointAt(kStart + 600'000, 300)});
  const std::vector<Step> told = steps({&node}, kStart + 600'000);
  EXPECT_DOUBLE_EQ(told.front().volume.served, 0);
  EXPECT_DOUBLE_EQ(told.back().volume.served, 100) << "of the last fifteen seconds, five";
}

TEST(Timeline, TellsTheLowestAndTheHighestThreshold) {
  wire::HistoryPoint low = pointAt(kStart + 5000, 0);
  low.__set_admitThreshold(1.5);
  wire::HistoryPoint high = low;
  high.__set_admitThreshold(4);
  const Timeline one = timelineOf({pointAt(kStart, 0), low});
  const Timeline other = timelineOf({pointAt(kStart, 0), high});
  const std::vector<Step> told = steps({&one, &other}, kStart + 5000);
  ASSERT_THAT(told, SizeIs(1));
  ASSERT_TRUE(told[0].admitThreshold);
  EXPECT_EQ(told[0].admitThreshold->low, 1.5);
  EXPECT_EQ(told[0].admitThreshold->high, 4);
  EXPECT_FALSE(told[0].horizonSeconds) << "without bound";
}

TEST(Timeline, TellsOnlyWhatEndsInTheTimeThatIsAskedFor) {
  const Timeline node = timelineOf({pointAt(kStart, 0), pointAt(kStart + 5000, 1), pointAt(kStart + 10000, 2),
                                    pointAt(kStart + 15000, 3)});
  const std::vector<const Timeline*> nodes = {&node};
  EXPECT_THAT(stepsOf(nodes, kStart + 5000, kStart + 15000), SizeIs(2));
  EXPECT_THAT(stepsOf(nodes, kStart + 5000, kStart + 14999), SizeIs(1));
  EXPECT_THAT(stepsOf(nodes, kStart + 20000, kStart + 15000), IsEmpty());
  EXPECT_THAT(steps({}, kStart), IsEmpty());
}

}  // namespace
}  // namespace shift::dashboard
