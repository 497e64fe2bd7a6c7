#include "shift-node/control/SpecFollower.h"

#include <gtest/gtest.h>

namespace shift::node {
namespace {

wire::Job job(const std::string& id, std::int32_t state = wire::JobState::QUEUED) {
  wire::Job job;
  job.__set_id(id);
  job.__set_state(state);
  job.dataset.__set_store("w");
  job.dataset.__set_partitions({"t/ds=2", "t/ds=1"});
  job.dataset.__set_order(wire::ReadOrder::LISTED);
  return job;
}

TEST(SpecFollower, TellsANewJobInTheControlPlanesWords) {
  const auto changes = SpecFollower().changes({job("a", wire::JobState::RUNNING)});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].job, "a");
  EXPECT_EQ(changes[0].partitions, (std::vector<std::string>{"w:t/ds=2", "w:t/ds=1"}));
  EXPECT_EQ(changes[0].order, control::ReadOrder::kListed);
  EXPECT_EQ(changes[0].state, control::JobState::kRunning);
}

TEST(SpecFollower, IsSilentAboutWhatHasNotChanged) {
  SpecFollower follower;
  follower.changes({job("a"), job("b")});
  EXPECT_TRUE(follower.changes({job("b"), job("a")}).empty());
}

TEST(SpecFollower, TellsChangesAndDepartures) {
  SpecFollower follower;
  follower.changes({job("a"), job("b")});
  const auto changes = follower.changes({job("a", wire::JobState::RUNNING)});
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].state, control::JobState::kRunning);
  EXPECT_EQ(changes[1].job, "b");
  EXPECT_EQ(changes[1].state, control::JobState::kFinished);
  EXPECT_TRUE(follower.changes({job("a", wire::JobState::RUNNING)}).empty()) << "a departure is told once";
}

TEST(SpecFollower, ANumberItDoesNotKnowIsNoOrderAndAnEndedJob) {
  wire::Job strange = job("a", 99);
  strange.dataset.__set_order(99);
  const control::JobSpec spec = toSpec(strange);
  EXPECT_EQ(spec.order, control::ReadOrder::kUnknown);
  EXPECT_EQ(spec.state, control::JobState::kFinished);
}

}  // namespace
}  // namespace shift::node
