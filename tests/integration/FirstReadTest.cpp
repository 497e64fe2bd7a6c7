#include <gtest/gtest.h>

#include <csignal>

#include "gms/GmsClient.h"
#include "shift-node/AdminClient.h"
#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using std::chrono::seconds;

class FirstReadTest : public test::ClusterFixture {};

TEST_F(FirstReadTest, AFileIsReadByteForByteWithTheNodesAndWithoutThem) {
  const std::string content = addFile("clicks/ds=1/part-0", 5'300'123, 1);
  startCluster(3);
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 700'001), content);
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20), content);
  EXPECT_EQ(client->stats().bytesFromNodes, 2 * content.size());
  EXPECT_EQ(client->stats().bytesFromBackingStore, 0u);

  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    cluster_->node(i).signal(SIGKILL);
    EXPECT_EQ(cluster_->node(i).wait(seconds(30)), 128 + SIGKILL);
  }
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20), content);
  EXPECT_EQ(client->stats().bytesFromBackingStore, content.size());
}

TEST_F(FirstReadTest, WhatOneJobReadIsServedToTheNextFromTheCache) {
  const std::string content = addFile("clicks/ds=1/part-0", 3 << 20, 2);
  startCluster(3);
  EXPECT_EQ(readWhole(*newClient(), "clicks/ds=1/part-0", 1 << 20, "first"), content);
  EXPECT_EQ(readWhole(*newClient(), "clicks/ds=1/part-0", 1 << 20, "second"), content);
  std::int64_t fetched = 0;
  std::int64_t served = 0;
  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    fetched += counter(i, "node_backing_bytes_total");
    served += counter(i, "node_served_bytes_total");
  }
  EXPECT_EQ(fetched, 3 << 20);
  EXPECT_EQ(served, 6 << 20);
}

TEST_F(FirstReadTest, ARestartedNodeServesAgain) {
  const std::string content = addFile("f", 1 << 20, 3);
  startCluster(1);
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), content);
  cluster_->node(0).signal(SIGTERM);
  EXPECT_EQ(cluster_->node(0).wait(seconds(30)), 0) << "a node drains and ends with code 0";
  ASSERT_TRUE(cluster_->restartNode(0));
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), content);
  EXPECT_EQ(client->stats().bytesFromBackingStore, 0u);
}

TEST_F(FirstReadTest, WhatIsOnFlashSurvivesARestartOfItsNode) {
  const std::string content = addFile("f", 3 << 20, 6);
  startCluster(1,
               {"cache.flash_files=" + (directory_ / "flash.cache"), "cache.flash=32MiB", "cache.dram=1MiB"});
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), content);
  cluster_->node(0).signal(SIGTERM);
  EXPECT_EQ(cluster_->node(0).wait(seconds(30)), 0);
  ASSERT_TRUE(cluster_->restartNode(0));
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), content);
  EXPECT_EQ(client->stats().bytesFromBackingStore, 0u);
  EXPECT_EQ(counter(0, "node_backing_bytes_total"), 0) << "the restarted node fetched nothing";
}

TEST_F(FirstReadTest, AReplacedFileIsReadAnew) {
  const std::string before = addFile("f", 1 << 20, 4);
  startCluster(2);
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), before);
  const std::string after = addFile("f", 1 << 20, 5);
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), after);
}

TEST_F(FirstReadTest, AJobsDatasetSpecIsKeptByTheGms) {
  startCluster(1);
  gms::GmsClient gms(cluster_->gmsAddress(), seconds(30));
  wire::Table table;
  table.__set_name("clicks");
  table.__set_store("warehouse");
  table.__set_root("clicks");
  ASSERT_TRUE(gms.putTable(table));
  wire::Job job;
  job.__set_id("train-1");
  job.dataset.__set_store("warehouse");
  job.dataset.__set_table("clicks");
  job.dataset.__set_partitions({"clicks/ds=1", "clicks/ds=2"});
  const Result<wire::Job> stored = gms.registerJob(job);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->state, wire::JobState::QUEUED);

  EXPECT_TRUE(gms.setJobState("train-1", wire::JobState::RUNNING));
  ASSERT_EQ(gms.listJobs({wire::JobState::RUNNING})->size(), 1u);
  EXPECT_TRUE(gms.setJobState("train-1", wire::JobState::FINISHED));
  EXPECT_TRUE(gms.listJobs({wire::JobState::RUNNING})->empty());

  job.dataset.partitions.push_back("../etc");
  job.dataset.epochs = 0;
  job.dataset.__isset.epochs = true;
  const Result<wire::Job> refused = gms.registerJob(job);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(std::count(refused.error().message.begin(), refused.error().message.end(), '\n'), 1)
      << "two faults";
  EXPECT_EQ(gms.getJob("ghost").error().code, ErrorCode::kNotFound);
}

TEST_F(FirstReadTest, EveryProcessStopsCleanly) {
  startCluster(3);
  const Status stopped = cluster_->stop();
  EXPECT_TRUE(stopped) << stopped.error().message;
}

}  // namespace
}  // namespace shift
