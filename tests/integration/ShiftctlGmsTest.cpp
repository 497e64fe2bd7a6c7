#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/ShiftctlFixture.h"

namespace shift {
namespace {

using testing::HasSubstr;

class ShiftctlGmsTest : public test::ShiftctlFixture {};

TEST_F(ShiftctlGmsTest, TheRingIsShownAndChangedAndWhatWouldMoveComesFirst) {
  startTier(3, {"policy.name=admit-all"});
  const auto ring = ctlJson({"ring", "show"});
  ASSERT_EQ(ring["members"].size(), 3u);
  EXPECT_NEAR(ring["members"][0]["share"], 1.0 / 3, 0.05);

  const auto looked = ctlJson({"ring", "drain", "node-2", "--dry-run"});
  EXPECT_EQ(looked["changed"], false);
  EXPECT_NEAR(looked["moved_share"], 1.0 / 3, 0.05);
  EXPECT_EQ(ctlJson({"ring", "show"})["members"][1]["state"], "active");

  const Outcome asked = ctl({"ring", "drain", "node-2"});
  EXPECT_EQ(asked.code, 2) << "nobody is there to say yes";
  EXPECT_THAT(asked.printed, HasSubstr("of all blocks get another owner")) << "but it was shown";

  EXPECT_EQ(ctl({"ring", "drain", "node-2", "--yes"}).code, 0);
  const auto drained = ctlJson({"ring", "show"})["members"][1];
  EXPECT_EQ(drained["state"], "draining");
  EXPECT_EQ(drained["share"], 0.0);
  EXPECT_EQ(ctl({"ring", "activate", "node-2", "--yes"}).code, 0);
  EXPECT_EQ(ctl({"ring", "weight", "node-2", "0.5", "--yes"}).code, 0);
  EXPECT_NEAR(ctlJson({"ring", "show"})["members"][1]["share"], 0.2, 0.05);
  EXPECT_EQ(ctl({"ring", "remove", "node-3", "--yes"}).code, 0);
  EXPECT_EQ(ctlJson({"ring", "show"})["members"].size(), 2u);
  const Outcome unknown = ctl({"ring", "remove", "node-9", "--yes"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.said, HasSubstr("no member \"node-9\""));
}

TEST_F(ShiftctlGmsTest, JobsAreSubmittedByFlagsOrByAFileAndFollowed) {
  startTier(1, {"policy.name=hybrid"});
  ASSERT_EQ(ctl({"tables", "put", "clicks", "--store", "warehouse", "--root", "clicks", "--onboarded"}).code,
            0);
  const auto job =
      ctlJson({"jobs", "submit", "--id", "j1", "--store", "warehouse", "--table", "clicks", "--partition",
               "clicks/ds=1", "--partition", "clicks/ds=2", "--epochs", "3", "--order", "listed"});
  EXPECT_EQ(job["state"], "queued");
  EXPECT_EQ(job["dataset"]["epochs"], 3);
  const std::string spec = directory_.write(
      "spec.json",
      R"({"id": "j2", "dataset": {"store": "warehouse", "table": "clicks", "partitions": ["clicks/ds=2"]}})");
  EXPECT_EQ(ctl({"jobs", "submit", "-f", spec}).code, 0);
  EXPECT_EQ(ctlJson({"jobs", "list"})["jobs"].size(), 2u);
  EXPECT_EQ(ctl({"jobs", "finish", "j1"}).code, 0);
  EXPECT_EQ(ctlJson({"jobs", "list", "--state", "finished"})["jobs"][0]["id"], "j1");
  EXPECT_THAT(ctl({"jobs", "show", "j2"}).printed, HasSubstr("clicks/ds=2"));
  EXPECT_EQ(ctl({"jobs", "fail", "j2", "--reason", "out of memory"}).code, 0);
  EXPECT_THAT(ctl({"jobs", "show", "j2"}).printed, HasSubstr("out of memory"));

  const Outcome bad = ctl(
      {"jobs", "submit", "--id", "j3", "--store", "warehouse", "--table", "nowhere", "--partition", "../up"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.said, HasSubstr("partitions[0]"));
  EXPECT_EQ(ctl({"jobs", "show", "j9"}).code, 1);
  EXPECT_EQ(ctl({"jobs", "list", "--state", "asleep"}).code, 2);
}

TEST_F(ShiftctlGmsTest, TablesAndRulesAreKept) {
  startTier(1, {"policy.name=hybrid"});
  ASSERT_EQ(ctl({"tables", "put", "clicks", "--store", "warehouse", "--root", "clicks"}).code, 0);
  EXPECT_EQ(ctlJson({"tables", "list"})["tables"][0]["onboarded"], false);
  EXPECT_EQ(ctl({"tables", "onboard", "clicks"}).code, 0);
  EXPECT_EQ(ctlJson({"tables", "list"})["tables"][0]["onboarded"], true);
  ASSERT_EQ(ctl({"rules", "put", "no-logs", "--action", "bypass", "--prefix", "warehouse:logs"}).code, 0);
  EXPECT_THAT(ctl({"rules", "list"}).printed, HasSubstr("path_prefix warehouse:logs"));
  EXPECT_EQ(ctl({"rules", "put", "r", "--action", "sometimes"}).code, 2);
  EXPECT_EQ(ctl({"rules", "put", "r", "--action", "cache", "--percentage", "300"}).code, 2);
  EXPECT_EQ(ctl({"rules", "delete", "no-logs"}).code, 0);
  EXPECT_EQ(ctl({"rules", "delete", "no-logs"}).code, 1);
  EXPECT_EQ(ctl({"tables", "delete", "clicks"}).code, 0);
}

TEST_F(ShiftctlGmsTest, ClientsCompareASampleAndWhatTheyFindIsShown) {
  const std::string content = addFile("t/a", 4 << 20, 1);
  startTier(1, {"policy.name=admit-all"});
  EXPECT_EQ(ctl({"shadow", "stop"}).code, 1);
  EXPECT_EQ(ctl({"shadow", "start", "--sample", "lots"}).code, 2);
  ASSERT_EQ(ctl({"shadow", "start", "--sample", "100%"}).code, 0);
  client::ClientConfig config = clientConfig();
  config.gms = toString(cluster_->gmsAddress());
  const auto client = *client::Client::create(config);
  await("answers have been compared", [&] {
    EXPECT_EQ(readWhole(*client, "t/a", 1 << 20), content);
    client->refresh();
    return ctlJson({"shadow", "status"})["reads"] > 0;
  });
  EXPECT_EQ(ctlJson({"shadow", "status"})["mismatches"], 0);
  EXPECT_THAT(ctl({"shadow", "status"}).printed, HasSubstr("0 mismatches in"));
  EXPECT_EQ(ctl({"shadow", "stop"}).code, 0);
}

TEST_F(ShiftctlGmsTest, WhatIsMissingIsSaidWithWhatToDo) {
  startTier(1, {"policy.name=hybrid"});
  const Outcome none = run("shiftctl", {"jobs", "list"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.said, HasSubstr("--gms HOST:PORT"));
  const Outcome nobody = run("shiftctl", {"status"});
  EXPECT_EQ(nobody.code, 2);
  const Outcome stranger = ctl({"--node", "node-7", "status"});
  EXPECT_EQ(stranger.code, 2);
  EXPECT_THAT(stranger.said, HasSubstr("there is no node \"node-7\""));
  cluster_->gms().signal(SIGKILL);
  ASSERT_TRUE(cluster_->gms().wait(std::chrono::seconds(30)));
  const Outcome down = ctl({"jobs", "list"});
  EXPECT_EQ(down.code, 1);
  EXPECT_THAT(down.said, HasSubstr("shiftctl: gms at"));
  EXPECT_EQ(run("shiftctl", {"--help"}).code, 0);
  EXPECT_EQ(run("shiftctl", {"nonsense"}).code, 2);
  for (const char* command : {"status", "top", "nodes", "ring", "jobs", "tables", "rules", "params", "audit",
                              "ab", "explain", "shadow", "trace", "warm", "evict", "cache"}) {
    const Outcome help = run("shiftctl", {command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.printed, HasSubstr(std::string(command) == "jobs" ? "submit" : "xample")) << command;
  }
}

}  // namespace
}  // namespace shift
