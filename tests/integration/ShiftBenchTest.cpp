#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using testing::HasSubstr;

/** shift-bench as a program, over a dataset of 6 MiB. */
class ShiftBenchTest : public test::ClusterFixture {
 protected:
  void startClusterWithData(std::uint32_t nodes, std::vector<std::string> nodeSettings = {}) {
    addFile("clicks/ds=1/part-0", 3 * kMiB, 1);
    addFile("clicks/ds=1/part-1", 2 * kMiB, 2);
    addFile("clicks/ds=2/part-0", kMiB, 3);
    startCluster(nodes, std::move(nodeSettings));
  }

  /** The options that name the cluster: its store, its ring, its admin services. Nothing is read but what is
   * asked for, so that bytes can be counted. */
  std::vector<std::string> withCluster(std::vector<std::string> arguments) const {
    std::vector<std::string> all{"--set", "store.name=warehouse",
                                 "--set", "store.root=" + (directory_ / "store"),
                                 "--set", "ring.file=" + cluster_->ringFile(),
                                 "--set", "block_size=1MiB",
                                 "--set", "get_deadline=60s",
                                 "--set", "connect_timeout=30s",
                                 "--set", "hedge.share=0",
                                 "--set", "read_ahead.window=0"};
    for (std::size_t i = 0; i < cluster_->size(); ++i) {
      all.insert(all.end(), {"--admin", toString(cluster_->adminAddress(i))});
    }
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }

  json bench(const std::vector<std::string>& arguments) {
    std::vector<std::string> all = withCluster(arguments);
    all.push_back("--json");
    const Outcome outcome = run("shift-bench", all);
    EXPECT_EQ(outcome.code, 0) << outcome.said << outcome.printed;
    json parsed = json::parse(outcome.printed, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << outcome.printed;
    EXPECT_EQ(parsed.value("failed_reads", -1), 0) << outcome.printed;
    EXPECT_EQ(parsed.value("wrong_bytes", -1), 0) << outcome.printed;
    return parsed;
  }
};

TEST_F(ShiftBenchTest, TwoScansOfEverythingAreFetchedOnce) {
  startClusterWithData(3);
  const json said = bench({"--jobs", "2", "--readers", "2", "--passes", "1"});
  EXPECT_EQ(said["bytes"], 12 * kMiB);
  EXPECT_EQ(said["reads"], 48);
  EXPECT_EQ(said["node_served_bytes"], 12 * kMiB);
  EXPECT_EQ(said["node_fetched_bytes"], 6 * kMiB);
  EXPECT_EQ(said["absorbed_bytes"], 6 * kMiB);
  EXPECT_DOUBLE_EQ(said["tier"]["share_from_nodes"], 1.0);
  EXPECT_EQ(said["by_job"].size(), 2u);
  EXPECT_EQ(said["by_job"][1]["job"], "bench-1");
  EXPECT_EQ(said["by_job"][1]["bytes"], 6 * kMiB);
  EXPECT_GT(said["latency_us"]["max"], 0.0);
  EXPECT_TRUE(said["verified"]);
}

TEST_F(ShiftBenchTest, EveryPatternReadsTheRightBytesInBothLoops) {
  startClusterWithData(2);
  for (const std::string pattern : {"sequential", "columns", "random", "zipf"}) {
    const json closed = bench({"--pattern", pattern, "--jobs", "2", "--readers", "2", "--reads", "101",
                               "--read-size", "4KiB:2,100000:1", "--row-group", "512KiB"});
    EXPECT_EQ(closed["pattern"], pattern);
    EXPECT_EQ(closed["reads"], 101);
    EXPECT_TRUE(closed["rate"].is_null());
    const json open = bench({"--pattern", pattern, "--rate", "5000", "--reads", "50", "--row-group", "512KiB",
                             "--set", "read_ahead.window=1MiB", "clicks/ds=1"});
    EXPECT_EQ(open["reads"], 50);
    EXPECT_DOUBLE_EQ(open["rate"], 5000);
  }
}

TEST_F(ShiftBenchTest, ReadersWithoutAPartOfAScanAreTold) {
  startClusterWithData(1);
  EXPECT_EQ(bench({"--pattern", "columns", "--passes", "1", "clicks/ds=2"})["idle_readers"], 3);
}

TEST_F(ShiftBenchTest, WithoutNodesAllComesFromTheDisksAndAbsorbedIoIsUnknown) {
  startClusterWithData(1);
  cluster_->node(0).signal(SIGKILL);
  EXPECT_EQ(cluster_->node(0).wait(seconds(30)), 128 + SIGKILL);
  const json said = bench({"--passes", "1", "--modelled-disks", "1000", "--read-size", "1MiB"});
  EXPECT_EQ(said["bytes"], 6 * kMiB);
  EXPECT_TRUE(said["absorbed_bytes"].is_null());
  EXPECT_DOUBLE_EQ(said["tier"]["share_from_nodes"], 0.0);
  EXPECT_EQ(said["disks"]["bytes"], 6 * kMiB);
  EXPECT_GE(said["latency_us"]["p50"], 11'500.0) << "no disk answers faster";
}

TEST_F(ShiftBenchTest, DirectReadsLeaveTheTierAlone) {
  startClusterWithData(1);
  const json said = bench({"--direct", "--passes", "1", "--no-verify"});
  EXPECT_EQ(said["target"], "direct");
  EXPECT_EQ(said["bytes"], 6 * kMiB);
  EXPECT_TRUE(said["tier"].is_null());
  EXPECT_FALSE(said["verified"]);
  EXPECT_EQ(counter(0, "node_served_bytes_total"), 0);
}

TEST_F(ShiftBenchTest, ANodeOnModelledDisksCountsTheirHeadTime) {
  startClusterWithData(1, {"store.disks=2", "store.disk_seek=1ms", "store.disk_bandwidth=1GB"});
  bench({"--passes", "1"});
  EXPECT_EQ(counter(0, "disk_reads_total"), counter(0, "node_backing_reads_total"));
  EXPECT_EQ(counter(0, "disk_read_bytes_total"), static_cast<std::int64_t>(6 * kMiB));
  EXPECT_GE(counter(0, "disk_head_nanoseconds_total"), counter(0, "disk_reads_total") * 1'000'000);
  EXPECT_EQ(counter(0, "disk_queued_reads"), 0);
}

TEST_F(ShiftBenchTest, MakesADatasetWhereThereIsNone) {
  const std::string root = "store.root=" + (directory_ / "fresh");
  const std::vector<std::string> arguments{"--set",    root, "--make-dataset", "3", "--file-size", "100000",
                                           "--passes", "1",  "--json"};
  for (int time = 0; time < 2; ++time) {
    const Outcome outcome = run("shift-bench", arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.said;
    EXPECT_EQ(json::parse(outcome.printed)["bytes"], 300'000);
    EXPECT_THAT(outcome.said, HasSubstr(time == 0 ? "wrote 3 files" : "is not empty"));
  }
}

TEST_F(ShiftBenchTest, SaysWhatIsWrongWithItsArguments) {
  const auto refusal = [&](std::vector<std::string> arguments) {
    const Outcome outcome = run("shift-bench", arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.said;
    return outcome.said + outcome.printed;
  };
  const std::string root = "store.root=" + directory_.path().string();
  EXPECT_THAT(refusal({}), HasSubstr("store.root: name the directory to read from"));
  EXPECT_THAT(refusal({"--set", root, "--read-size", "big"}), HasSubstr("read size \"big\""));
  EXPECT_THAT(refusal({"--set", root, "--row-group", "0"}), HasSubstr("larger than 0"));
  EXPECT_THAT(refusal({"--set", root, "--pattern", "zigzag"}), HasSubstr("zigzag"));
  EXPECT_THAT(refusal({"--set", root, "--pattern", "zipf", "--passes", "1"}), HasSubstr("no end"));
  EXPECT_THAT(refusal({"--set", root, "--admin", "nowhere"}), HasSubstr("nowhere"));
  const Outcome empty = run("shift-bench", {"--set", "store.root=" + (directory_ / "absent")});
  EXPECT_EQ(empty.code, 1);
  EXPECT_THAT(empty.said, HasSubstr("absent"));
}

}  // namespace
}  // namespace shift
