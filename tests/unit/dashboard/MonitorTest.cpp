#include "dashboard/Monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/dashboard/FakeNode.h"

namespace shift::dashboard {
namespace {

using nlohmann::json;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class MonitorTest : public testing::Test {
 protected:
  MonitorTest() { clock_.advance(minutes(100)); }

  std::int64_t nowMs() const { return clock_.wallNow().time_since_epoch() / std::chrono::milliseconds(1); }
  /** One round, and what is seen of it. */
  json look() {
    monitor_.poll();
    return monitor_.state(0);
  }
  json lookClosely() {
    monitor_.watch();
    return look();
  }

  ManualClock clock_;
  FakeTier tier_;
  Monitor monitor_{"tier", tier_, clock_};
};

TEST_F(MonitorTest, SumsWhatTheNodesSay) {
  for (const char* id : {"a", "b"}) {
    const auto node = tier_.add(id);
    node->said.lastMinute.servedBytes = 100;
    node->said.lastMinute.fetchedBytes = 30;
    node->said.writeLimit = 5;
    node->points = {pointAt(nowMs() - 10000, 0), pointAt(nowMs() - 5000, 50), pointAt(nowMs(), 100)};
  }
  const json state = look();
  EXPECT_EQ(state["sums"]["nodes_answering"], 2);
  EXPECT_EQ(state["sums"]["last_minute"]["absorbed_bytes"], 140);
  EXPECT_EQ(state["sums"]["write_limit_bytes_per_second"], 10);
  ASSERT_THAT(state["history"], SizeIs(2));
  EXPECT_EQ(state["history"][0]["served_bytes"], 100);
  EXPECT_EQ(monitor_.state(nowMs() - 5000)["history"].size(), 1u) << "only what is newer";
}

TEST_F(MonitorTest, ANodeThatFallsSilentIsShownAsSuchAndItsHourStays) {
  const auto a = tier_.add("a");
  const auto b = tier_.add("b");
  a->points = b->points = {pointAt(nowMs() - 10000, 0), pointAt(nowMs() - 5000, 50), pointAt(nowMs(), 100)};
  const std::int64_t heardMs = nowMs();
  look();
  b->isDown = true;
  clock_.advance(seconds(2));
  const json state = look();
  EXPECT_EQ(state["sums"]["nodes"], 2);
  EXPECT_EQ(state["sums"]["nodes_answering"], 1);
  EXPECT_EQ(state["nodes"][1]["answers"], false);
  EXPECT_EQ(state["nodes"][1]["fault"], "b is silent");
  EXPECT_EQ(state["nodes"][1]["heard_ms"], heardMs);
  EXPECT_EQ(state["history"][0]["served_bytes"], 100) << "both nodes' share";
}

TEST_F(MonitorTest, AsksOnlyForHistoryThatItDoesNotKnow) {
  const auto node = tier_.add("a");
  node->points = {pointAt(nowMs() - 5000, 0), pointAt(nowMs(), 10)};
  look();
  EXPECT_EQ(node->historyAskedAfter, 0);
  look();
  EXPECT_EQ(node->historyAskedAfter, nowMs());
}

TEST_F(MonitorTest, AsksForBucketsAndJobsOnlyWhileSomebodyLooks) {
  const auto node = tier_.add("a");
  node->bucketViews = {bucketOf("warehouse:clicks", 5, "admit")};
  EXPECT_EQ(look()["detailed"], false);
  EXPECT_EQ(node->timesAskedForDetails, 0);
  const json state = lookClosely();
  EXPECT_EQ(state["detailed"], true);
  EXPECT_THAT(state["buckets"], SizeIs(1));
  clock_.advance(minutes(1));
  EXPECT_THAT(look()["buckets"], IsEmpty()) << "what is old is not shown as new";
  EXPECT_EQ(node->timesAskedForDetails, 1);
}

TEST_F(MonitorTest, MergesABucketThatSeveralNodesServe) {
  tier_.add("a")->bucketViews = {bucketOf("x", 1, "admit"), bucketOf("y", 2, "admit")};
  tier_.add("b")->bucketViews = {bucketOf("x", 4, "refuse")};
  const json buckets = lookClosely()["buckets"];
  ASSERT_THAT(buckets, SizeIs(2));
  EXPECT_EQ(buckets[0]["name"], "x") << "the busiest first";
  EXPECT_EQ(buckets[0]["requests"], 5);
  EXPECT_EQ(buckets[0]["decision"], "differs");
  EXPECT_EQ(buckets[1]["decision"], "admit");
}

TEST_F(MonitorTest, JoinsJobsWithTheirTrafficAndShowsThoseNobodyAnnounced) {
  wire::Traffic announced;
  announced.name = "train-7";
  announced.servedBytes = 70;
  wire::Traffic unannounced = announced;
  unannounced.name = "stranger";
  tier_.add("a")->jobs = {announced, unannounced};
  tier_.jobs = {{.id = "train-7", .state = "running", .partitions = 2, .stretches = {1, 0}}};
  const json jobs = lookClosely()["jobs"];
  ASSERT_THAT(jobs, SizeIs(2));
  EXPECT_EQ(jobs[0]["id"], "train-7");
  EXPECT_EQ(jobs[0]["traffic"]["served_bytes"], 70);
  EXPECT_EQ(jobs[1]["id"], "stranger");
  EXPECT_EQ(jobs[1]["state"], "");
}

TEST_F(MonitorTest, KeepsTheHistoryOfANodeThatHasLeft) {
  tier_.add("a")->points = {pointAt(nowMs() - 5000, 0), pointAt(nowMs(), 50)};
  look();
  tier_.nodes.clear();
  const json state = look();
  EXPECT_THAT(state["nodes"], IsEmpty());
  EXPECT_EQ(state["history"].back()["served_bytes"], 50);
  clock_.advance(minutes(70));
  EXPECT_THAT(look()["history"], IsEmpty());
}

TEST_F(MonitorTest, GoesOnWithTheNodesItKnowsWhenTheTierCannotBeSeen) {
  tier_.add("a");
  look();
  tier_.fault = "the database is gone";
  const json state = look();
  EXPECT_EQ(state["fault"], "the database is gone");
  EXPECT_EQ(state["sums"]["nodes_answering"], 1);
  tier_.fault.clear();
  EXPECT_EQ(look()["fault"], "");
}

TEST_F(MonitorTest, TheOwnerExplainsWhoeverLocates) {
  tier_.add("a")->isDown = true;
  tier_.add("b");
  tier_.add("c");
  tier_.ring =
      std::make_shared<const ring::Ring>(std::vector<ring::Member>{{.id = "c", .address = {"h", 1}}});
  look();
  const auto story = monitor_.explain("warehouse:clicks/part-0", 0, "train-7");
  ASSERT_TRUE(story) << story.error().message;
  EXPECT_EQ((*story)["node"], "c");
  EXPECT_EQ((*story)["words"], "c says so to train-7");
  EXPECT_EQ((*story)["path"], "clicks/part-0") << "the store's name is taken off";
}

TEST_F(MonitorTest, SaysWhyNothingCanBeExplained) {
  look();
  EXPECT_THAT(monitor_.explain("f", 0, "").error().message, HasSubstr("no node"));
  tier_.add("a")->isDown = true;
  look();
  EXPECT_THAT(monitor_.explain("f", 0, "").error().message, HasSubstr("a is silent"));
}

}  // namespace
}  // namespace shift::dashboard
