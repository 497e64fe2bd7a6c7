#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/ShiftctlFixture.h"

namespace shift {
namespace {

using testing::HasSubstr;

constexpr const char* kThreshold = "policy.min_admit_threshold";

class ShiftctlParamsTest : public test::ShiftctlFixture {
 protected:
  std::string valueOf(std::size_t node, const char* name = kThreshold) const {
    const auto got = ctlJson({"params", "get", name});
    return got["nodes"][node]["parameters"][name]["value"];
  }
  std::string sourceOf(std::size_t node, const char* name = kThreshold) const {
    const auto got = ctlJson({"params", "get", name});
    return got["nodes"][node]["parameters"][name]["source"];
  }
};

TEST_F(ShiftctlParamsTest, WhatIsSetIsInForceOnAllNodesAndOutlivesNodeAndGms) {
  startTier(2, {"policy.name=hybrid"});
  const Outcome set = ctl({"params", "set", "policy.min_admit_threshold=2.5", "--actor", "ann"});
  ASSERT_EQ(set.code, 0) << set.said;
  EXPECT_THAT(set.printed, HasSubstr("2.5 (gms)"));
  EXPECT_EQ(valueOf(0), "2.5");
  EXPECT_EQ(valueOf(1), "2.5");
  const auto audit = ctlJson({"audit", "--kind", "parameter"});
  EXPECT_EQ(audit["audit"][0]["actor"], "ann");
  EXPECT_THAT(ctl({"audit"}).printed, HasSubstr("/policy.min_admit_threshold"));

  cluster_->node(0).signal(SIGTERM);
  ASSERT_TRUE(cluster_->node(0).wait(std::chrono::seconds(30)));
  cluster_->gms().signal(SIGKILL);
  ASSERT_TRUE(cluster_->gms().wait(std::chrono::seconds(30)));
  ASSERT_TRUE(cluster_->restartGms());
  ASSERT_TRUE(cluster_->restartNode(0));
  await("the restarted node has it again", [&] { return valueOf(0) == "2.5"; });

  ASSERT_EQ(ctl({"params", "reset", kThreshold}).code, 0);
  await("both nodes go by their configuration",
        [&] { return sourceOf(0) == "config" && sourceOf(1) == "config"; });
}

TEST_F(ShiftctlParamsTest, OneNodeCanDifferAndDiffTells) {
  startTier(2, {"policy.name=hybrid"});
  EXPECT_THAT(ctl({"params", "diff"}).printed, HasSubstr("all with the same"));
  ASSERT_EQ(ctl({"--node", "node-2", "params", "set", "policy.name=historic"}).code, 0);
  EXPECT_EQ(valueOf(0, "policy.name"), "\"hybrid\"");
  EXPECT_EQ(valueOf(1, "policy.name"), "\"historic\"");
  const auto diff = ctlJson({"params", "diff"});
  EXPECT_EQ(diff["nodes"][1]["parameters"].size(), 1u);
}

TEST_F(ShiftctlParamsTest, WhatIsOutOfRangeIsRefusedAndNothingIsChanged) {
  startTier(1, {"policy.name=hybrid"});
  const Outcome refused = ctl({"params", "set", "policy.min_admit_threshold=-3", "policy.name=historic"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.said, HasSubstr("nothing was changed; node-1: "));
  EXPECT_THAT(refused.said, HasSubstr(kThreshold));
  EXPECT_EQ(valueOf(0, "policy.name"), "\"hybrid\"");
  EXPECT_EQ(ctl({"params", "set", "nonsense"}).code, 2);
  EXPECT_EQ(ctl({"params", "set", "cache.dram=1GiB"}).code, 2);
  EXPECT_EQ(ctl({"params", "get", "policy.colour"}).code, 2);
  EXPECT_EQ(ctl({"params", "set", "policy.min_admit_threshold=3", "--dry-run"}).code, 0);
  EXPECT_EQ(sourceOf(0), "config");
}

TEST_F(ShiftctlParamsTest, WithoutAGmsTheNodesThemselvesKeepIt) {
  startCluster(1, {"policy.name=hybrid"});
  const Outcome set = ctlByRing({"params", "set", "policy.min_admit_threshold=4"});
  ASSERT_EQ(set.code, 0) << set.said;
  EXPECT_THAT(set.printed, HasSubstr("4.0 (live)"));
  cluster_->node(0).signal(SIGKILL);
  ASSERT_TRUE(cluster_->node(0).wait(std::chrono::seconds(30)));
  ASSERT_TRUE(cluster_->restartNode(0));
  EXPECT_THAT(ctlByRing({"params", "get", kThreshold}).printed, HasSubstr("4.0 (live)"));
  EXPECT_EQ(ctlByRing({"params", "reset", "--all"}).code, 0);
  EXPECT_THAT(ctlByRing({"params", "diff"}).printed, HasSubstr("all with the same"));
}

TEST_F(ShiftctlParamsTest, TwoPoliciesAreComparedOnDisjointNodes) {
  const std::string content = addFile("t/ds=1/part-0", 8 << 20, 1);
  startTier(2, {"policy.name=historic"});
  EXPECT_EQ(ctl({"ab", "status"}).code, 1) << "none is under way";
  EXPECT_EQ(ctl({"ab", "start", "--a", "admit-all", "--b", "nonsense"}).code, 2);
  EXPECT_EQ(ctl({"ab", "start", "--a", "admit-all", "--b", "future", "--a-nodes", "node-1,node-2"}).code, 2);
  ASSERT_EQ(ctl({"ab", "start", "--a", "admit-all", "--b", "future"}).code, 0);
  EXPECT_EQ(ctl({"ab", "start", "--a", "hybrid", "--b", "future"}).code, 1) << "one at a time";
  await("both nodes are in their arms", [&] { return ctlJson({"ab", "status"})["arms"].size() == 2; });
  const auto client = newClient();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(readWhole(*client, "t/ds=1/part-0", 1 << 20, "j"), content);
  }
  const auto arms = ctlJson({"ab", "status"})["arms"];
  EXPECT_EQ(arms["a"]["policy"], "admit-all");
  EXPECT_GT(arms["a"]["absorbed_share"], 0.5) << "two of three readings";
  EXPECT_EQ(arms["b"]["policy"], "future");
  EXPECT_EQ(arms["b"]["absorbed_share"], 0.0) << "nobody has announced anything";
  EXPECT_THAT(ctl({"ab", "status"}).printed, HasSubstr("66.7 %"));
  ASSERT_EQ(ctl({"ab", "stop", "--keep", "a"}).code, 0);
  await("all nodes decide by the winner", [&] {
    return valueOf(0, "policy.name") == "\"admit-all\"" && valueOf(1, "policy.name") == "\"admit-all\"";
  });
}

}  // namespace
}  // namespace shift
