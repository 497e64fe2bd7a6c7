#include "shift-node/AdminSums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::node {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

wire::NodeStatus statusOf(const std::string& id, std::int64_t served, std::int64_t writeLimit) {
  wire::NodeStatus status;
  status.id = id;
  status.policy = "historic";
  status.lastMinute.servedBytes = served;
  status.lastMinute.seconds = 60;
  status.writeLimit = writeLimit;
  return status;
}

TEST(AdminSums, AddsUpNodesButNotTheirTime) {
  const TierSum sum = sumOf(std::vector{statusOf("a", 10, 5), statusOf("b", 20, 7)});
  EXPECT_EQ(sum.minute.servedBytes, 30);
  EXPECT_EQ(sum.minute.seconds, 60);
  EXPECT_EQ(sum.writeLimit, 12);
}

TEST(AdminSums, ATierIsWithoutLimitIfOneOfItsNodesIs) {
  EXPECT_EQ(sumOf(std::vector{statusOf("a", 0, 5), statusOf("b", 0, 0)}).writeLimit, 0);
}

TEST(AdminSums, ABucketOfTwoMindsDiffers) {
  wire::BucketView sum;
  wire::BucketView more;
  more.decision = "admit";
  more.priority = 2;
  add(sum, more);
  EXPECT_EQ(sum.decision, "admit");
  more.decision = "refuse";
  more.priority = 1;
  add(sum, more);
  EXPECT_EQ(sum.decision, "differs");
  EXPECT_EQ(sum.priority, 2) << "the highest";
}

TEST(AdminSums, ArmsAreMadeOfTheNodesThatAreInOne) {
  wire::NodeStatus a = statusOf("a", 0, 0);
  wire::ExperimentArm arm;
  arm.name = "x";
  arm.activity.requests = 3;
  a.__set_arm(arm);
  wire::NodeStatus b = a;
  b.id = "b";
  b.policy = "planned";
  const std::map<std::string, ArmSum> arms = armsOf(std::vector{a, b, statusOf("c", 0, 0)});
  ASSERT_EQ(arms.size(), 1u);
  EXPECT_THAT(arms.at("x").nodes, ElementsAre("a", "b"));
  EXPECT_EQ(arms.at("x").policy, "mixed");
  EXPECT_EQ(arms.at("x").activity.requests, 6);
  EXPECT_THAT(armsOf({}), IsEmpty());
}

TEST(AdminSums, ARefusalIsAnErrorWithAllItsReasons) {
  wire::Refused refusal;
  refusal.faults = {"one", "two"};
  EXPECT_EQ(toError(refusal).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(toError(refusal).message, "one; two");
}

TEST(AdminSums, FlashLastsAsLongAsItsEnduranceAtTheLastHoursRate) {
  wire::NodeStatus status = statusOf("a", 0, 0);
  EXPECT_FALSE(lifeLeft(status)) << "not rated";
  status.flashEndurance = 1000;
  status.flashWrittenBytes = 400;
  EXPECT_FALSE(lifeLeft(status)) << "not written";
  status.lastHour.seconds = 10;
  status.lastHour.admittedBytes = 20;
  EXPECT_EQ(lifeLeft(status), 300);
}

}  // namespace
}  // namespace shift::node
