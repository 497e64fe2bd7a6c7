#include <gtest/gtest.h>

#include "shift-node/AdminClient.h"
#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using namespace std::chrono_literals;

/** Nodes of a local cluster that make room for others. */
class ReplacedNodesTest : public test::ClusterFixture {
 protected:
  void SetUp() override {
    content_ = addFile("clicks/ds=1/part-0", 3'000'000, 1);
    auto started = tools::LocalCluster::start({.binaries = test::binaryDirectory(),
                                               .directory = directory_ / "cluster",
                                               .storeName = "warehouse",
                                               .storeRoot = directory_ / "store",
                                               .nodes = 0,
                                               .flashPerNode = 16 * kMiB,
                                               .nodeSettings = {"cache.dram=4MiB"}},
                                              clock_);
    ASSERT_TRUE(started) << started.error().message;
    cluster_ = *std::move(started);
  }

  wire::NodeStatus statusOf(std::size_t node) {
    node::AdminClient admin(cluster_->adminAddress(node), 30s);
    const auto status = admin.status();
    EXPECT_TRUE(status) << status.error().message;
    return status ? *status : wire::NodeStatus();
  }

  std::string content_;
};

TEST_F(ReplacedNodesTest, EachHasSettingsOfItsOwn) {
  ASSERT_TRUE(cluster_->replaceNodes({{"policy.name=admit-all"}, {"policy.name=historic"}}));
  ASSERT_EQ(cluster_->size(), 2u);
  EXPECT_EQ(statusOf(0).policy, "admit-all");
  EXPECT_EQ(statusOf(1).policy, "historic");
}

TEST_F(ReplacedNodesTest, NewOnesTakeNamesAndAddressesAndNothingElse) {
  ASSERT_TRUE(cluster_->replaceNodes({{}}));
  EXPECT_EQ(readWhole(*newClient(), "clicks/ds=1/part-0", 1 << 20), content_);
  ASSERT_GT(statusOf(0).segments, 0);
  const std::string name = cluster_->nodeName(0);
  const HostPort address = cluster_->nodeAddress(0);

  ASSERT_TRUE(cluster_->replaceNodes({{"policy.name=historic"}}));
  EXPECT_EQ(cluster_->nodeName(0), name);
  EXPECT_EQ(toString(cluster_->nodeAddress(0)), toString(address));
  EXPECT_EQ(statusOf(0).segments, 0) << "what was on flash is gone";
  EXPECT_EQ(statusOf(0).flashWrittenBytes, 0) << "and so is the memory of it";
}

TEST_F(ReplacedNodesTest, FewerOnesLeaveNobodyElseInTheRing) {
  ASSERT_TRUE(cluster_->replaceNodes({{}, {}}));
  ASSERT_TRUE(cluster_->replaceNodes({{}}));
  EXPECT_EQ(cluster_->size(), 1u);
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20), content_);
  EXPECT_EQ(client->stats().bytesFromNodes, content_.size()) << "all of it belongs to the one that is left";
}

}  // namespace
}  // namespace shift
