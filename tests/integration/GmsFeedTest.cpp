#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using nlohmann::json;
using std::chrono::seconds;

/** A live node that follows a live GMS, which is fed over REST as a scheduler would. */
class GmsFeedTest : public test::ClusterFixture {
 protected:
  json ask(const std::string& method, const std::string& path, const json& body = nullptr) {
    httplib::Client client("127.0.0.1", cluster_->gmsHttpAddress().port);
    client.set_read_timeout(60);
    httplib::Request request;
    request.method = method;
    request.path = path;
    if (!body.is_null()) {
      request.body = body.dump();
      request.set_header("Content-Type", "application/json");
    }
    const httplib::Result answer = client.send(request);
    EXPECT_TRUE(answer && answer->status < 300)
        << method << " " << path << ": " << (answer ? answer->body : "none");
    return answer && !answer->body.empty() ? json::parse(answer->body) : json();
  }

  void putTable() { ask("PUT", "/v1/tables/clicks", {{"store", "warehouse"}, {"root", "clicks"}}); }

  void submit(const std::string& id, const std::vector<std::string>& partitions) {
    ask("POST", "/v1/jobs",
        {{"id", id}, {"dataset", {{"store", "warehouse"}, {"table", "clicks"}, {"partitions", partitions}}}});
  }

  /** Asks again and again, until it is so; false if it never is. */
  template <typename Is>
  bool becomesTrue(Is is) {
    for (const TimePoint deadline = clock_.now() + seconds(60); clock_.now() < deadline;) {
      if (is()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a file that nobody has read yet goes into the cache when this job reads it. */
  bool isAdmitted(client::Client& client, const std::string& directory, const std::string& job) {
    const std::string path = directory + "/fresh-" + std::to_string(++files_);
    const std::string content = addFile(path, 1 << 18, static_cast<unsigned>(files_));
    const std::uint64_t before = client.stats().bytesFromNodes;
    EXPECT_EQ(readWhole(client, path, 1 << 18, job), content);
    return client.stats().bytesFromNodes > before;
  }

  int files_ = 0;
};

struct Ending {
  const char* name;
  const char* state;  // told over REST; nullptr: nothing is said
};

class GmsEndingTest : public GmsFeedTest, public testing::WithParamInterface<Ending> {};
INSTANTIATE_TEST_SUITE_P(AJobThat, GmsEndingTest,
                         testing::Values(Ending{"finishes", "finished"}, Ending{"fails", "failed"},
                                         Ending{"falls_silent", nullptr}),
                         [](const auto& ending) { return std::string(ending.param.name); });

TEST_P(GmsEndingTest, CountsFromItsFirstReadUntilItEnds) {
  addFile("clicks/ds=2/part-0", 1 << 18, 100);
  // A job is silent when nothing was read for a second; elsewhere that must not happen by itself.
  const bool silent = GetParam().state == nullptr;
  startCluster(1, {"policy.name=future", "policy.bucket_refresh_time=100ms", "policy.block_size=1MiB"}, true,
               {silent ? "jobs.silent_ttl=5s" : "jobs.silent_ttl=1h"});
  const auto client = newClient();
  putTable();
  EXPECT_FALSE(isAdmitted(*client, "clicks/ds=1", "c")) << "nobody has announced anything";
  submit("a", {"clicks/ds=2", "clicks/ds=1"});
  submit("b", {"clicks/ds=2", "clicks/ds=1"});
  readWhole(*client, "clicks/ds=2/part-0", 1 << 18, "a");
  readWhole(*client, "clicks/ds=2/part-0", 1 << 18, "b");
  EXPECT_TRUE(becomesTrue([&] { return isAdmitted(*client, "clicks/ds=1", "c"); }))
      << "two jobs that have begun to read will come here";
  if (!silent) {
    ask("PATCH", "/v1/jobs/a", {{"state", GetParam().state}});
    ask("PATCH", "/v1/jobs/b", {{"state", GetParam().state}});
  }
  EXPECT_TRUE(becomesTrue([&] { return !isAdmitted(*client, "clicks/ds=1", "c"); })) << "they count no more";
  EXPECT_EQ(ask("GET", "/v1/jobs/a").at("state"), silent ? "expired" : GetParam().state);
}

TEST_F(GmsFeedTest, AFirstReadMakesAJobRunningAndItsProgressIsSeen) {
  const std::string content = addFile("clicks/ds=1/part-0", 1 << 20, 1);
  startCluster(1, {}, true);
  putTable();
  submit("a", {"clicks/ds=1"});
  EXPECT_EQ(ask("GET", "/v1/jobs/a").at("state"), "queued");
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 18, "a"), content);
  EXPECT_TRUE(becomesTrue([&] {
    const json job = ask("GET", "/v1/jobs/a");
    return job.at("state") == "running" && job.contains("progress") &&
           job.at("progress")[0].at("read_bytes") == content.size();
  }));
  EXPECT_EQ(ask("GET", "/v1/tables/clicks").at("demand").at("through_cache_bytes"), content.size());
  EXPECT_EQ(ask("GET", "/v1/audit?kind=job&limit=1").at("audit")[0].at("actor"), "node-1");
}

TEST_F(GmsFeedTest, PlannedUsesAQueuedJobBeforeItsFirstRead) {
  const std::string held = addFile("clicks/ds=1/part-0", 1 << 20, 1);
  const std::string wanted = addFile("clicks/ds=2/part-0", 1 << 20, 2);
  startCluster(1, {"policy.bucket_refresh_time=100ms", "policy.block_size=1MiB", "cache.dram=1MiB"}, true);
  putTable();
  const auto client = newClient();
  const auto isServed = [&](const std::string& path, const std::string& content) {
    const std::uint64_t before = client->stats().bytesFromNodes;
    EXPECT_EQ(readWhole(*client, path, 1 << 20, "c"), content);
    return client->stats().bytesFromNodes > before;
  };
  EXPECT_TRUE(becomesTrue([&] { return isServed("clicks/ds=1/part-0", held); })) << "there is room";
  EXPECT_FALSE(isServed("clicks/ds=2/part-0", wanted))
      << "the cache is full, and nobody is known to come for this";
  submit("a", {"clicks/ds=2"});
  EXPECT_TRUE(becomesTrue([&] { return isServed("clicks/ds=2/part-0", wanted); })) << "now somebody is";
  EXPECT_EQ(ask("GET", "/v1/jobs/a").at("state"), "queued");
}

TEST_F(GmsFeedTest, PartitionsThatAppearAreFoundByAJobsPredicate) {
  addFile("clicks/ds=2026-11-01/part-0", 1, 1);
  startCluster(1, {}, true, {"jobs.expand_every=100ms"});
  putTable();
  ask("POST", "/v1/jobs",
      {{"id", "a"},
       {"dataset", {{"store", "warehouse"}, {"table", "clicks"}, {"predicate", "ds>=2026-11-01"}}}});
  addFile("clicks/ds=2026-11-02/part-0", 1, 2);
  addFile("clicks/ds=2026-10-31/part-0", 1, 3);
  EXPECT_TRUE(becomesTrue([&] {
    return ask("GET", "/v1/jobs/a").at("dataset").at("partitions") ==
           json({"clicks/ds=2026-11-01", "clicks/ds=2026-11-02"});
  }));
}

TEST_F(GmsFeedTest, ANodeGoesOnWithoutItsGmsAcrossARestartAndCatchesUp) {
  startCluster(1, {}, true);
  putTable();
  submit("a", {"clicks/ds=1"});
  EXPECT_TRUE(becomesTrue([&] { return counter(0, "node_gms_active_jobs") == 1; }));
  cluster_->gms().signal(SIGKILL);
  cluster_->gms().wait(seconds(30));
  EXPECT_TRUE(becomesTrue([&] { return counter(0, "node_gms_connected") == 0; })) << "it says so";
  cluster_->node(0).signal(SIGTERM);
  EXPECT_EQ(cluster_->node(0).wait(seconds(30)), 0);
  ASSERT_TRUE(cluster_->restartNode(0));
  EXPECT_TRUE(becomesTrue([&] { return counter(0, "node_gms_active_jobs") == 1; })) << "from its disk";
  EXPECT_EQ(counter(0, "node_gms_connected"), 0);
  ASSERT_TRUE(cluster_->restartGms());
  submit("b", {"clicks/ds=1"});
  EXPECT_TRUE(becomesTrue([&] { return counter(0, "node_gms_active_jobs") == 2; }));
  EXPECT_EQ(counter(0, "node_gms_connected"), 1);
}

TEST_F(GmsFeedTest, ANodesPolicyFollowsTheParametersOfTheGms) {
  startCluster(1, {"policy.name=future", "policy.bucket_refresh_time=100ms", "policy.block_size=1MiB"}, true);
  putTable();
  const auto client = newClient();
  EXPECT_FALSE(isAdmitted(*client, "clicks/ds=1", "c"));
  ask("PUT", "/v1/parameters/policy.name", {{"value", "planned"}});
  EXPECT_TRUE(becomesTrue([&] { return isAdmitted(*client, "clicks/ds=1", "c"); }))
      << "planned uses room that is left";
  ask("PUT", "/v1/nodes/node-1/parameters/policy.name", {{"value", "future"}});
  EXPECT_TRUE(becomesTrue([&] { return !isAdmitted(*client, "clicks/ds=1", "c"); })) << "its own goes before";
}

}  // namespace
}  // namespace shift
