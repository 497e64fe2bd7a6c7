#include "shift-node/NodeHistory.h"

#include <gtest/gtest.h>

#include "shift-node/engine/MemoryEngine.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

using std::chrono::seconds;

class NodeHistoryTest : public testing::Test {
 protected:
  static NodeConfig config() {
    NodeConfig config;
    config.storeRoot = "/data";
    return config;
  }
  void start() {
    const auto before = loadState(stateFile_);
    ASSERT_TRUE(before) << before.error().message;
    live_ = std::make_unique<LiveParameters>(
        config(), plane_, [this] { history_->parametersChanged(); }, clock_);
    history_ = std::make_unique<NodeHistory>(NodeHistory::Parts{.engine = engine_,
                                                                .ledger = ledger_,
                                                                .plane = plane_,
                                                                .parameters = *live_,
                                                                .clock = clock_,
                                                                .stateFile = stateFile_},
                                             *before);
    live_->set(before->parameters);
  }
  void serve(std::uint64_t bytes) { ledger_.record({"b", "j", GetRecord::Outcome::kHit, bytes, 0}); }

  test::TemporaryDirectory directory_;
  const std::string stateFile_ = directory_ / "state";
  ManualClock clock_;
  CounterRegistry counters_;
  MemoryEngine engine_{{.capacityBytes = kGiB}, counters_};
  TrafficLedger ledger_{100};
  control::ControlPlane plane_{controlParameters(config()),
                               {.blockSize = kDefaultBlockSize, .segmentSize = 256 * kKiB, .owns = {}}};
  std::unique_ptr<LiveParameters> live_;
  std::unique_ptr<NodeHistory> history_;
};

TEST_F(NodeHistoryTest, TellsActivityOverStretchesOfTime) {
  start();
  for (int i = 0; i < 24; ++i) {
    serve(100);
    clock_.advance(seconds(5));
    history_->sample();
  }
  const ActivityPoint now = history_->now();
  const ActivityPoint aMinuteAgo = history_->log().before(now.at, seconds(60));
  EXPECT_EQ(now.traffic.servedBytes - aMinuteAgo.traffic.servedBytes, 1200u);
  EXPECT_EQ(now.traffic.servedBytes - history_->start().traffic.servedBytes, 2400u);
}

TEST_F(NodeHistoryTest, WhatWasSetOutlivesTheProcess) {
  start();
  EXPECT_TRUE(live_->set({{"policy.min_admit_threshold", "2.5"}}).empty());
  start();
  EXPECT_EQ(plane_.parameters().minAdmitThreshold, 2.5);
  EXPECT_TRUE(live_->reset({}).empty());
  start();
  EXPECT_EQ(plane_.parameters().minAdmitThreshold, 1.1);
}

TEST_F(NodeHistoryTest, CountsWhatHappensSinceAnArmWasJoined) {
  start();
  clock_.advance(seconds(60));
  serve(100);
  EXPECT_TRUE(live_->adopt({{"policy.arm", "a"}}).empty());
  serve(7);
  EXPECT_TRUE(live_->adopt({{"policy.arm", "a"}, {"policy.min_admit_threshold", "2"}}).empty());
  const NodeHistory::Arm arm = history_->arm();
  EXPECT_EQ(arm.name, "a");
  EXPECT_FALSE(arm.isSinceRestart);
  EXPECT_EQ(history_->now().traffic.servedBytes - arm.joined.traffic.servedBytes, 7u);
  EXPECT_TRUE(live_->adopt({}).empty());
  EXPECT_EQ(history_->arm().name, "");
}

TEST_F(NodeHistoryTest, AnArmThatIsJoinedAtTheStartMayBeOlder) {
  start();
  EXPECT_TRUE(live_->adopt({{"policy.arm", "a"}}).empty());
  EXPECT_TRUE(history_->arm().isSinceRestart);
}

}  // namespace
}  // namespace shift::node
