#include "shift-node/ActivityLog.h"

#include <gtest/gtest.h>

namespace shift::node {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

ActivityPoint at(Duration time) {
  ActivityPoint point;
  point.at = TimePoint(time);
  point.wallMs = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  point.traffic.requests = static_cast<std::uint64_t>(time / seconds(1));
  return point;
}

TEST(ActivityLog, TellsHowThingsStoodBeforeAStretchOfTime) {
  ActivityLog log(at(seconds(0)));
  for (int i = 5; i <= 300; i += 5) {
    log.add(at(seconds(i)));
  }
  EXPECT_EQ(log.before(TimePoint(seconds(302)), minutes(1)).traffic.requests, 240u);
  EXPECT_EQ(log.before(TimePoint(seconds(302)), hours(1)).traffic.requests, 0u) << "it is not that old";
}

TEST(ActivityLog, KeepsAnHourAndNoMore) {
  ActivityLog log(at(seconds(0)));
  for (int i = 5; i <= 3 * 3600; i += 5) {
    log.add(at(seconds(i)));
  }
  EXPECT_EQ(log.before(TimePoint(hours(3)), hours(1)).traffic.requests, 2 * 3600u);
  EXPECT_LE(log.after(0).size(), 722u);
}

TEST(ActivityLog, TellsOnlyWhatIsNew) {
  ActivityLog log(at(seconds(0)));
  log.add(at(seconds(5)));
  log.add(at(seconds(10)));
  const auto points = log.after(5000);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].wallMs, 10000);
  EXPECT_TRUE(log.after(10000).empty());
}

}  // namespace
}  // namespace shift::node
