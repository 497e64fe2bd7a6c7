#include "tools/demo/Schedule.h"

#include <gtest/gtest.h>

#include "common/ByteSize.h"

namespace shift::demo {
namespace {

using namespace std::chrono_literals;

TEST(Schedule, BeforeItsPaceIsKnownAnActIsExpectedToTakeWhatWasReckoned) {
  Schedule schedule(5, 20s);
  schedule.beginAct();
  EXPECT_EQ(schedule.remaining(0, 0s), 100s);
  EXPECT_EQ(schedule.remaining(0.01, 1s), 99s);
}

TEST(Schedule, ThenByItsOwnPace) {
  Schedule schedule(5, 20s);
  schedule.beginAct();
  EXPECT_EQ(schedule.remaining(0.5, 15s), 15s + 80s);
}

TEST(Schedule, ActsToComeAreExpectedToTakeAsLongAsTheLast) {
  Schedule schedule(3, 20s);
  schedule.beginAct();
  schedule.endAct(30s);
  schedule.beginAct();
  EXPECT_EQ(schedule.remaining(0, 0s), 60s);
  schedule.endAct(10s);
  schedule.beginAct();
  EXPECT_EQ(schedule.remaining(1, 8s), 0s);
}

TEST(Schedule, AnActThatTakesLongerThanExpectedIsNeverOwedTime) {
  Schedule schedule(1, 20s);
  schedule.beginAct();
  EXPECT_EQ(schedule.remaining(0.01, 50s), 0s);
}

TEST(Schedule, SaysWhichActHowFarAndHowLong) {
  Schedule schedule(5, 20s);
  schedule.beginAct();
  schedule.endAct(20s);
  schedule.beginAct();
  EXPECT_EQ(schedule.line(512 * kMiB, 2 * kGiB, 4s),
            "act 2 of 5, 512.0 MiB of 2.0 GiB, 128.0 MiB/s, about 72 s to go");
}

}  // namespace
}  // namespace shift::demo
