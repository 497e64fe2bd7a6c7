#include <gtest/gtest.h>

#include "common/ByteSize.h"
#include "gms/GmsClient.h"
#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using namespace std::chrono_literals;

/** A client that knows the address of the GMS and nothing else of the tier. */
class LiveRingTest : public test::ClusterFixture {
 protected:
  void SetUp() override {
    content_ = addFile("clicks/ds=1/part-0", 5'000'000, 1);
    startCluster(2);
    gms_ = std::make_unique<gms::GmsClient>(cluster_->gmsAddress(), 30s, "operator");
    client::ClientConfig config = clientConfig();
    config.ringFile.clear();
    config.gms = toString(cluster_->gmsAddress());
    config.gmsTimeout = 30s;
    config.gmsSnapshot = directory_ / "client.snapshot";
    config.refresh = 10min;  // the tests refresh when they want to
    config.readAhead = 0;
    config.blockSize = 256 * kKiB;  // twenty blocks: each node owns some, whatever their ids are today
    config_ = config;
  }

  void putMember(std::size_t node, std::int32_t state) {
    wire::RingMember member;
    member.__set_id("node-" + std::to_string(node + 1));
    member.__set_address(toString(cluster_->nodeAddress(node)));
    member.__set_state(state);
    const auto stored = gms_->putMember(member);
    ASSERT_TRUE(stored) << stored.error().message;
  }
  std::unique_ptr<client::Client> start() {
    auto client = client::Client::create(config_);
    EXPECT_TRUE(client) << client.error().message;
    return *std::move(client);
  }
  /** Bytes that nodes gave of one more reading of the whole file. */
  std::uint64_t readAgain(client::Client& client) {
    const std::uint64_t before = client.stats().bytesFromNodes;
    EXPECT_EQ(readWhole(client, "clicks/ds=1/part-0", 1 << 20), content_);
    return client.stats().bytesFromNodes - before;
  }

  std::string content_;
  std::unique_ptr<gms::GmsClient> gms_;
  client::ClientConfig config_;
};

TEST_F(LiveRingTest, TheRingIsTheGmssAndChangesWithIt) {
  const auto client = start();
  EXPECT_EQ(readAgain(*client), 0u) << "nobody is in the ring yet";
  putMember(0, wire::MemberState::ACTIVE);
  client->refresh();
  EXPECT_EQ(readAgain(*client), content_.size());
  putMember(1, wire::MemberState::ACTIVE);
  client->refresh();
  EXPECT_EQ(readAgain(*client), content_.size());
  const std::int64_t second = counter(1, "node_served_bytes_total");
  EXPECT_GT(second, 0);
  putMember(1, wire::MemberState::DOWN);
  client->refresh();
  EXPECT_EQ(readAgain(*client), content_.size() - static_cast<std::uint64_t>(second))
      << "a member that is down keeps its share and is not asked";
  putMember(1, wire::MemberState::DRAINING);
  client->refresh();
  EXPECT_EQ(readAgain(*client), content_.size()) << "one that drains owns nothing";
  EXPECT_EQ(counter(1, "node_served_bytes_total"), second);
}

TEST_F(LiveRingTest, WhatWasKnownLastIsEnoughToStartWithoutTheGms) {
  putMember(0, wire::MemberState::ACTIVE);
  start().reset();
  config_.gms = "127.0.0.1:1";
  EXPECT_EQ(readAgain(*start()), content_.size());
}

TEST_F(LiveRingTest, RulesComeFromTheGmsAndWhatGoesPastIsReportedToIt) {
  putMember(0, wire::MemberState::ACTIVE);
  wire::Table table;
  table.__set_name("clicks");
  table.__set_store("warehouse");
  table.__set_root("clicks");
  table.__set_onboarded(true);
  ASSERT_TRUE(gms_->putTable(table));
  const auto client = start();
  EXPECT_EQ(readAgain(*client), content_.size());
  wire::EligibilityRule rule;
  rule.__set_id("no-clicks");
  rule.__set_table("clicks");
  rule.__set_action(wire::RuleAction::BYPASS);
  ASSERT_TRUE(gms_->putRule(rule));
  client->refresh();
  EXPECT_EQ(readAgain(*client), 0u);
  EXPECT_EQ(client->stats().pastCacheByTable.at("clicks"), content_.size());
  client->refresh();
  EXPECT_EQ(gms_->getTable("clicks")->demand.pastCacheBytes, static_cast<std::int64_t>(content_.size()));
}

}  // namespace
}  // namespace shift
