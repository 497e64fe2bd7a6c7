#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include "common/HostPort.h"
#include "gms/GmsClient.h"
#include "gms/GmsFollower.h"
#include "tests/support/ClusterFixture.h"
#include "tests/support/PostgresServer.h"
#include "tools/cluster/ChildProcess.h"

namespace shift {
namespace {

using std::chrono::seconds;

/** A GMS process on a free port. */
class GmsProcess {
 public:
  GmsProcess(std::string database, std::string log) : database_(std::move(database)), log_(std::move(log)) {}

  /** What it says when it serves; empty if it does not. */
  std::string start() {
    process_ = *tools::ChildProcess::start(
        {test::binaryDirectory() + "/shift-gms", "--set", "database=" + database_, "--set",
         "listen=" + toString(listen_), "--set", "http_listen=127.0.0.1:0"},
        log_);
    const Result<std::string> line = process_->readLine(clock_, seconds(60));
    if (!line) {
      return "";
    }
    const std::size_t begin = line->find("listen=") + 7;
    listen_ = *parseHostPort(line->substr(begin, line->find(' ', begin) - begin));
    return *line;
  }

  void kill() {
    process_->signal(SIGKILL);
    process_->wait(seconds(60));
  }

  tools::ChildProcess& process() { return *process_; }
  const HostPort& address() const { return listen_; }

 private:
  const SystemClock clock_;
  const std::string database_;
  const std::string log_;
  HostPort listen_{"127.0.0.1", 0};
  std::unique_ptr<tools::ChildProcess> process_;
};

wire::Job job(const std::string& id) {
  wire::Job job;
  job.__set_id(id);
  job.dataset.__set_store("warehouse");
  job.dataset.__set_table("clicks");
  job.dataset.__set_partitions({"clicks/ds=1"});
  return job;
}

void putTable(gms::GmsClient& client) {
  wire::Table table;
  table.__set_name("clicks");
  table.__set_store("warehouse");
  table.__set_root("clicks");
  const auto stored = client.putTable(table);
  ASSERT_TRUE(stored) << stored.error().message;
}

std::set<std::string> idsIn(gms::GmsClient& client) {
  std::set<std::string> ids;
  const auto jobs = client.listJobs();
  EXPECT_TRUE(jobs) << jobs.error().message;
  for (const wire::Job& one : *jobs) {
    ids.insert(one.id);
  }
  return ids;
}

class GmsProcessTest : public testing::TestWithParam<const char*> {
 protected:
  std::string newDatabase() {
    return std::string(GetParam()) == "postgresql" ? test::PostgresServer::shared().emptyDatabase()
                                                   : directory_ / "gms.sqlite";
  }
  test::TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(On, GmsProcessTest, testing::Values("sqlite", "postgresql"),
                         [](const auto& database) { return std::string(database.param); });

TEST_P(GmsProcessTest, KilledAgainAndAgainItLosesNoAcknowledgedWrite) {
  GmsProcess gms(newDatabase(), directory_ / "gms.log");
  ASSERT_NE(gms.start(), "");
  {
    gms::GmsClient client(gms.address(), seconds(60));
    putTable(client);
  }
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> acknowledged = 0;
  std::set<std::string> known;  // of the writer alone, until it has ended
  std::thread writer([&, address = gms.address()] {
    gms::GmsClient client(address, seconds(60));
    for (int i = 0; !stop; ++i) {
      const std::string id = "job-" + std::to_string(i);
      if (client.registerJob(job(id))) {
        known.insert(id);
        ++acknowledged;
      }
    }
  });
  constexpr int kKills = 10;
  for (int i = 0; i < kKills; ++i) {
    const std::size_t before = acknowledged;
    while (acknowledged < before + 5) {
      std::this_thread::yield();
    }
    gms.kill();
    ASSERT_NE(gms.start(), "") << "after kill " << i;
  }
  stop = true;
  writer.join();
  gms::GmsClient client(gms.address(), seconds(60));
  const std::set<std::string> stored = idsIn(client);
  EXPECT_GE(known.size(), 5u * kKills);
  EXPECT_TRUE(std::ranges::includes(stored, known));
}

TEST(GmsProcesses, TwoOnOnePostgresqlServeTheSame) {
  const test::TemporaryDirectory directory;
  const std::string database = test::PostgresServer::shared().emptyDatabase();
  GmsProcess first(database, directory / "first.log");
  GmsProcess second(database, directory / "second.log");
  ASSERT_NE(first.start(), "");
  ASSERT_NE(second.start(), "");
  gms::GmsClient one(first.address(), seconds(60));
  gms::GmsClient other(second.address(), seconds(60));
  putTable(one);

  const SystemClock clock;
  CounterRegistry counters;
  gms::GmsFollower follower(
      {.kinds = wire::ChangeKind::JOBS, .file = "", .counterPrefix = "test"}, gms::GmsFollower::asking(other),
      [](const auto&, const auto&) {}, clock, counters);
  ASSERT_TRUE(follower.tick());
  constexpr int kJobs = 50;
  std::thread beside([&] {
    for (int i = 0; i < kJobs; ++i) {
      EXPECT_TRUE(one.registerJob(job("one-" + std::to_string(i))));
    }
  });
  for (int i = 0; i < kJobs; ++i) {
    EXPECT_TRUE(other.registerJob(job("other-" + std::to_string(i))));
    EXPECT_TRUE(follower.tick());
  }
  beside.join();
  ASSERT_TRUE(follower.tick());
  EXPECT_EQ(follower.snapshot()->jobs.size(), 2u * kJobs) << "a follower of one missed nothing of the other";
  EXPECT_EQ(idsIn(one), idsIn(other));
  wire::Job changed = job("one-0");
  changed.dataset.__set_partitions({"clicks/ds=9"});
  EXPECT_EQ(other.registerJob(changed).error().code, ErrorCode::kAlreadyExists);
}

TEST(GmsProcesses, TheSecondOnOneSqliteFileRefusesToStart) {
  const test::TemporaryDirectory directory;
  GmsProcess first(directory / "gms.sqlite", directory / "first.log");
  GmsProcess second(directory / "gms.sqlite", directory / "second.log");
  ASSERT_NE(first.start(), "");
  EXPECT_EQ(second.start(), "");
  EXPECT_EQ(second.process().wait(seconds(60)), 1);
  std::ifstream log(directory / "second.log");
  const std::string words{std::istreambuf_iterator<char>(log), {}};
  EXPECT_THAT(words, testing::HasSubstr("another process serves the database"));
}

}  // namespace
}  // namespace shift
