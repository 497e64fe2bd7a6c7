#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/integration/ShiftctlFixture.h"

namespace shift {
namespace {

using testing::HasSubstr;
using testing::Not;

class ShiftctlNodeTest : public test::ShiftctlFixture {};

TEST_F(ShiftctlNodeTest, StatusTellsTheTierAtAGlance) {
  const std::string content = addFile("t/ds=1/part-0", 4 << 20, 1);
  startTier(2, {"policy.name=admit-all", "cache.flash_endurance=1TiB", "policy.write_limit=50MB"});
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "t/ds=1/part-0", 1 << 20), content);
  EXPECT_EQ(readWhole(*client, "t/ds=1/part-0", 1 << 20), content);

  const auto status = ctlJson({"status"});
  EXPECT_EQ(status["nodes_answering"], 2);
  EXPECT_EQ(status["gms_answers"], true);
  EXPECT_EQ(status["last_hour"]["requested_bytes"], 8 << 20);
  EXPECT_EQ(status["last_hour"]["absorbed_bytes"], 4 << 20) << "the second reading";
  EXPECT_EQ(status["last_hour"]["dram_hits"], 16);
  EXPECT_EQ(status["nodes"][0]["policy"], "admit-all");
  EXPECT_EQ(status["nodes"][0]["write_limit_bytes_per_second"], 50'000'000);

  const Outcome shown = ctl({"status"});
  EXPECT_EQ(shown.code, 0) << shown.said;
  EXPECT_THAT(shown.printed, HasSubstr("2 of 2 nodes answer; the GMS at"));
  EXPECT_THAT(shown.printed, HasSubstr("50.0 % of"));
  EXPECT_THAT(shown.printed, HasSubstr("node-2"));
  EXPECT_THAT(shown.printed, Not(HasSubstr("\033["))) << "colours are for terminals";

  EXPECT_EQ(ctlByRing({"status"}).code, 0) << "the ring file tells where the nodes are as well";
  const Outcome one = run("shiftctl", {"--node", toString(cluster_->adminAddress(1)), "status"});
  EXPECT_THAT(one.printed, HasSubstr("1 of 1 nodes answer; no GMS was given"));
}

TEST_F(ShiftctlNodeTest, AnAnswerOfSomeNodesIsToldAndEndsWithThree) {
  startTier(2, {"policy.name=admit-all"});
  cluster_->node(0).signal(SIGKILL);
  ASSERT_TRUE(cluster_->node(0).wait(std::chrono::seconds(30)));
  const Outcome status = ctl({"status"});
  EXPECT_EQ(status.code, 3);
  EXPECT_THAT(status.printed, HasSubstr("1 of 2 nodes answer"));
  EXPECT_THAT(status.said, HasSubstr("node-1: node admin service at"));
  EXPECT_EQ(ctlJson({"nodes"}, 3)["nodes"][0]["answers"], false);
  EXPECT_EQ(ctl({"--node", "node-1", "status"}).code, 1) << "nobody who was asked answers";
  EXPECT_EQ(ctl({"params", "set", "policy.min_admit_threshold=2"}).code, 3);
}

TEST_F(ShiftctlNodeTest, TopTellsBucketsAndJobs) {
  const std::string content = addFile("t/ds=1/part-0", 1 << 20, 1);
  startTier(1, {"policy.name=historic"});
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "t/ds=1/part-0", 1 << 20, "j1"), content);
  const auto top = ctlJson({"top", "--count", "1", "--interval", "10ms"});
  ASSERT_EQ(top["buckets"].size(), 1u);
  EXPECT_EQ(top["buckets"][0]["name"], "warehouse:t/ds=1");
  EXPECT_EQ(top["buckets"][0]["decision"], "refuse");
  EXPECT_EQ(top["jobs"][0]["name"], "j1");
  const Outcome shown = ctl({"top", "--count", "1", "--interval", "10ms"});
  EXPECT_THAT(shown.printed, HasSubstr("warehouse:t/ds=1"));
  EXPECT_EQ(ctl({"top", "--count", "1", "--interval", "soon"}).code, 2);
}

TEST_F(ShiftctlNodeTest, ARecordingIsReplayedAndReproducesTheDecisions) {
  constexpr int kPartitions = 8;
  const auto path = [](int i) { return "t/ds=" + std::to_string(i) + "/part-0"; };
  for (int i = 0; i < kPartitions; ++i) {
    addFile(path(i), 256 << 10, 1);
  }
  startTier(1, {"policy.name=historic", "cache.dram=64MiB"});
  EXPECT_EQ(ctl({"trace", "stop"}).code, 2) << "none is under way";
  ASSERT_EQ(ctl({"trace", "record", "--limit", "1MiB"}).code, 0);
  EXPECT_EQ(ctl({"trace", "record"}).code, 2) << "one at a time";
  EXPECT_THAT(ctl({"status"}).printed, HasSubstr("records requests"));
  const auto client = newClient();
  const auto readAll = [&](const char* job, int partitions) {
    for (int i = 0; i < partitions; ++i) {
      readWhole(*client, path(i), 1 << 20, job);
    }
  };
  readAll("a", kPartitions);
  readAll("b", kPartitions / 2);
  // Until the node has seen that half of them are read twice, and for longer than it takes a replay to see
  // it.
  await("half of the partitions are worth caching", [&] {
    const auto top = ctlJson({"top", "--count", "1", "--interval", "300ms"});
    return std::ranges::count(top["buckets"], "admit",
                              [](const auto& bucket) { return bucket["decision"]; }) == kPartitions / 2;
  });
  readAll("c", kPartitions);
  readAll("d", kPartitions / 2);
  const auto node = ctlJson({"status"})["nodes"][0]["since_start"];
  EXPECT_EQ(node["hits"], kPartitions / 2);
  EXPECT_EQ(node["fills"], kPartitions / 2);

  const auto stopped = ctlJson({"trace", "stop", "--output", directory_.path().string()});
  EXPECT_EQ(stopped["nodes"][0]["requests"], 3 * kPartitions);
  EXPECT_EQ(stopped["nodes"][0]["left_out"], 0);
  const std::string file = stopped["nodes"][0]["file"];
  ASSERT_TRUE(std::filesystem::exists(file)) << file;
  const Outcome replayed = run("shift-sim", {"replay", file, "--cache", "64MiB", "--policy", "historic",
                                             "--refresh", "100ms", "--json"});
  ASSERT_EQ(replayed.code, 0) << replayed.said;
  const auto same = nlohmann::json::parse(replayed.printed);
  EXPECT_EQ(same["requests"], node["requests"]);
  EXPECT_EQ(same["hits"], node["hits"]);
  EXPECT_EQ(same["served_bytes"], node["served_bytes"]);
  EXPECT_EQ(same["fetched_bytes"], node["fetched_bytes"]);
  EXPECT_EQ(ctl({"trace", "stop", "--output", "/no/such/place"}).code, 2);
}

TEST_F(ShiftctlNodeTest, EvictsAFileABucketAndEverything) {
  addFile("t/a", 1 << 20, 1);
  addFile("t/b", 1 << 20, 2);
  addFile("u/c", 1 << 20, 3);
  startTier(1, {"policy.name=admit-all"});
  const auto client = newClient();
  for (const char* path : {"t/a", "t/b", "u/c"}) {
    readWhole(*client, path, 1 << 20);
  }
  EXPECT_EQ(ctlJson({"evict", "t/a"})["nodes"][0]["segments"], 4);
  EXPECT_EQ(ctlJson({"evict", "warehouse:t"})["nodes"][0]["segments"], 4) << "t/b";
  EXPECT_EQ(ctl({"evict", "--all"}).code, 2) << "not without being told so, where nobody can be asked";
  EXPECT_EQ(ctlJson({"evict", "--all", "--yes"})["nodes"][0]["segments"], 4);
  EXPECT_EQ(ctl({"evict"}).code, 2);
  EXPECT_EQ(ctl({"evict", "../etc"}).code, 2);
  EXPECT_EQ(ctlJson({"status"})["nodes"][0]["segments"], 0);
}

TEST_F(ShiftctlNodeTest, TheCacheIsCountedFlushedAndVerified) {
  addFile("t/a", 1 << 20, 1);
  const std::string flash = directory_ / "flash";
  startTier(1,
            {"policy.name=admit-all", "cache.flash_files=" + flash, "cache.flash=64MiB", "cache.dram=64MiB"});
  const auto client = newClient();
  readWhole(*client, "t/a", 1 << 20);
  EXPECT_EQ(ctl({"cache", "flush"}).code, 0);
  EXPECT_GT(ctlJson({"cache", "stats"})["nodes"][0]["counters"].size(), 20u);
  const auto sound = ctlJson({"cache", "verify"});
  EXPECT_EQ(sound["nodes"][0]["segments"], 4);
  EXPECT_EQ(sound["nodes"][0]["failures"], 0);
  EXPECT_THAT(ctl({"cache", "verify"}).printed, HasSubstr("node-1"));
  {
    std::fstream spoilt(flash, std::ios::in | std::ios::out | std::ios::binary);
    const std::string noise(64 << 20, 'x');
    spoilt << noise;
  }
  const auto found = ctlJson({"cache", "verify"}, 1);
  EXPECT_GT(found["nodes"][0]["failures"], 0);
}

TEST_F(ShiftctlNodeTest, WarmsWhatThePolicyWantsAndTellsTheRest) {
  addFile("t/a", 3 << 20, 1);
  addFile("t/deep/b", 1 << 20, 2);
  startTier(2, {"policy.name=admit-all"});
  const std::vector<std::string> store = {"--set", "store.name=warehouse",
                                          "--set", "store.root=" + (directory_ / "store"),
                                          "--set", "ring.file=" + cluster_->ringFile(),
                                          "--set", "block_size=1MiB"};
  const auto warm = [&](std::vector<std::string> arguments, int code = 0) {
    arguments.insert(arguments.begin(), "warm");
    arguments.insert(arguments.end(), store.begin(), store.end());
    return ctlJson(arguments, code);
  };
  EXPECT_EQ(warm({"--check", "t"}, 1)["present_bytes"], 0);
  const auto warmed = warm({"t", "--rate", "1GB"});
  EXPECT_EQ(warmed["present_bytes"], 4 << 20);
  EXPECT_EQ(warmed["files"], 2);
  EXPECT_EQ(warm({"--check", "t"})["present_bytes"], 4 << 20);
  const std::string profile = directory_.write("profile", "# hot\nt/a 0 1MiB\nt/deep/b\n");
  EXPECT_EQ(warm({"--profile", profile})["bytes"], 2 << 20);

  ASSERT_EQ(ctl({"params", "set", "policy.name=historic"}).code, 0);
  addFile("t/new", 1 << 20, 3);
  EXPECT_EQ(warm({"t/new"}, 1)["refused_bytes"], 1 << 20);
  EXPECT_EQ(ctl({"warm", "t", "--set", "store.root=/no/such/place"}).code, 1);
}

}  // namespace
}  // namespace shift
