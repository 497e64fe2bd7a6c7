#include <gtest/gtest.h>

#include "gms/GmsClient.h"
#include "shift-node/AdminClient.h"
#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using std::chrono::seconds;

/** A node that decides by the control plane and follows a real GMS. */
class ControlPlaneTest : public test::ClusterFixture {
 protected:
  void announce(const std::string& id, const std::vector<std::string>& partitions) {
    wire::Table table;
    table.__set_name("clicks");
    table.__set_store("warehouse");
    table.__set_root("clicks");
    ASSERT_TRUE(gms().putTable(table));
    wire::Job job;
    job.__set_id(id);
    job.dataset.__set_store("warehouse");
    job.dataset.__set_table("clicks");
    job.dataset.__set_partitions(partitions);
    const auto stored = gms().registerJob(job);
    ASSERT_TRUE(stored) << stored.error().message;
  }

  gms::GmsClient& gms() {
    if (gms_ == nullptr) {
      gms_ = std::make_unique<gms::GmsClient>(cluster_->gmsAddress(), seconds(30));
    }
    return *gms_;
  }

  /** Reads the file as this job, again and again, until a read is served by the nodes alone; false if none
   * ever is. */
  bool isCachedInTheEnd(const std::string& path, const std::string& job, const std::string& content) {
    const auto client = newClient();
    const TimePoint deadline = clock_.now() + seconds(60);
    while (clock_.now() < deadline) {
      const std::uint64_t before = client->stats().bytesFromNodes;
      EXPECT_EQ(readWhole(*client, path, 1 << 20, job), content);
      if (client->stats().bytesFromNodes - before == content.size()) {
        return true;
      }
    }
    return false;
  }

 private:
  std::unique_ptr<gms::GmsClient> gms_;
};

TEST_F(ControlPlaneTest, FutureAdmitsAPartitionWhenEnoughJobsHaveAnnouncedItAndBegunToRead) {
  const std::string wanted = addFile("clicks/ds=1/part-0", 1 << 20, 1);
  const std::string other = addFile("clicks/ds=2/part-0", 1 << 20, 2);
  startCluster(1, {"policy.name=future", "policy.bucket_refresh_time=100ms", "policy.block_size=1MiB"}, true);
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20, "c"), wanted);
  EXPECT_EQ(client->stats().bytesFromNodes, 0u)
      << "nobody has announced anything: one read is no reason to cache";

  // Two jobs that are active here, in the second partition, will read the first: its priority is 2,
  // above 1.1.
  announce("a", {"clicks/ds=2", "clicks/ds=1"});
  announce("b", {"clicks/ds=2", "clicks/ds=1"});
  EXPECT_EQ(readWhole(*client, "clicks/ds=2/part-0", 1 << 20, "a"), other);
  EXPECT_EQ(readWhole(*client, "clicks/ds=2/part-0", 1 << 20, "b"), other);
  EXPECT_TRUE(isCachedInTheEnd("clicks/ds=1/part-0", "c", wanted));
  EXPECT_GE(counter(0, "node_gms_active_jobs"), 2);
}

TEST_F(ControlPlaneTest, PlannedUsesRoomThatIsLeftAndServesTheNextJobFromIt) {
  const std::string content = addFile("clicks/ds=1/part-0", 1 << 20, 3);
  startCluster(1, {"policy.name=planned", "policy.bucket_refresh_time=100ms", "policy.block_size=1MiB"},
               true);
  announce("a", {"clicks/ds=1"});
  announce("b", {"clicks/ds=1"});
  EXPECT_TRUE(isCachedInTheEnd("clicks/ds=1/part-0", "a", content));
  EXPECT_TRUE(isCachedInTheEnd("clicks/ds=1/part-0", "b", content));
}

TEST_F(ControlPlaneTest, AParameterThatIsChangedChangesTheNextDecision) {
  const std::string content = addFile("clicks/ds=1/part-0", 1 << 20, 5);
  startCluster(1, {"policy.name=historic", "policy.bucket_refresh_time=100ms", "policy.block_size=1MiB"});
  node::AdminClient admin(cluster_->adminAddress(0), seconds(30));
  const auto explained = [&] { return *admin.explain("clicks/ds=1/part-0", 0, "a"); };
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20, "a"), content);
  EXPECT_EQ(client->stats().bytesFromNodes, 0u);
  EXPECT_FALSE(explained().admit) << explained().words;
  EXPECT_EQ(explained().bucket, "warehouse:clicks/ds=1");
  EXPECT_EQ(explained().reason, "below-threshold");

  const Status changed = admin.setParameters({{"policy.min_admit_threshold", "0.5"}});
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_TRUE(explained().admit) << explained().words;
  EXPECT_TRUE(isCachedInTheEnd("clicks/ds=1/part-0", "a", content));
}

TEST_F(ControlPlaneTest, AParameterThatIsWrongIsRefusedAndNothingChanges) {
  startCluster(1, {"policy.name=hybrid", "policy.min_admit_threshold=2.5"});
  node::AdminClient admin(cluster_->adminAddress(0), seconds(30));
  const auto valueOf = [&](const std::string& name) {
    for (const wire::NodeParameter& parameter : *admin.parameters()) {
      if (parameter.name == name) {
        return parameter.value;
      }
    }
    return std::string("none");
  };
  EXPECT_EQ(valueOf("policy.min_admit_threshold"), "2.5");
  const auto refusal = [&](const std::map<std::string, std::string>& values) {
    const Status status = admin.setParameters(values);
    return status ? "taken" : status.error().message;
  };
  EXPECT_NE(refusal({{"policy.min_admit_threshold", "3"}, {"policy.name", "nonsense"}}).find("policy.name"),
            std::string::npos);
  EXPECT_NE(refusal({{"policy.min_admit_threshold", "-1"}}).find("policy.min_admit_threshold"),
            std::string::npos);
  EXPECT_NE(refusal({{"cache.dram", "1GiB"}}).find("cache.dram"), std::string::npos);
  EXPECT_EQ(valueOf("policy.min_admit_threshold"), "2.5");
  EXPECT_FALSE(admin.explain("no/such/file", 0, "a"));
}

TEST_F(ControlPlaneTest, ANodeWithoutItsGmsGoesOn) {
  const std::string content = addFile("f", 1 << 20, 4);
  startCluster(1, {"policy.name=planned", "gms.address=127.0.0.1:1"});
  EXPECT_TRUE(isCachedInTheEnd("f", "a", content));
}

}  // namespace
}  // namespace shift
