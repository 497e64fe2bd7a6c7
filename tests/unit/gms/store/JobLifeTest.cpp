#include "gms/store/Housekeeper.h"
#include "gms/store/ReportStore.h"
#include "tests/unit/gms/store/StoreFixture.h"

namespace shift::gms {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/** What nodes report, and what happens without anybody asking. */
class JobLifeTest : public StoreFixture {
 protected:
  JobLifeTest() { putTable(); }

  Housekeeper housekeeper() {
    return {{.silentTtl = 10min, .queuedTtl = 24h, .keepEnded = 720h},
            *metadata_,
            [this](const wire::Table&) { return listing(); }};
  }

  std::int32_t stateOf(const std::string& id) { return stores_->jobs.getJob(id)->state; }

  wire::Report demand(std::int64_t through, std::int64_t past, const std::string& directory) {
    wire::DirectoryDemand entry;
    entry.__set_store("warehouse");
    entry.__set_directory(directory);
    wire::Report report;
    report.__set_reporter("client-1");
    report.__set_sequence(++sequence_);
    entry.__set_bytes(through);
    report.__set_throughCache({entry});
    entry.__set_bytes(past);
    report.__set_pastCache({entry});
    return report;
  }
};
SHIFT_ON_BOTH_DATABASES(JobLifeTest);

TEST_P(JobLifeTest, TheFirstReadMakesAJobRunning) {
  add(job("j"));
  ASSERT_TRUE(stores_->reports.report(readsOf("j", "clicks/ds=1", 100)));
  const wire::Job running = *stores_->jobs.getJob("j");
  EXPECT_EQ(running.state, wire::JobState::RUNNING);
  EXPECT_EQ(running.startedMs, running.createdMs);
  wire::AuditQuery query;
  query.__set_key("j");
  EXPECT_EQ(stores_->audit.list(query)->front().actor, "node-1");
}

TEST_P(JobLifeTest, ProgressAddsUpByPartition) {
  add(job("j"));
  ASSERT_TRUE(stores_->reports.report(readsOf("j", "clicks/ds=1", 100)));
  ASSERT_TRUE(stores_->reports.report(readsOf("j", "clicks/ds=1", 50, true)));
  ASSERT_TRUE(stores_->reports.report(readsOf("j", "clicks/ds=1", 1)));
  const auto progress = stores_->jobs.getJob("j")->progress;
  ASSERT_EQ(progress.size(), 1u);
  EXPECT_EQ(progress[0].readBytes, 151);
  EXPECT_TRUE(progress[0].finished);
}

TEST_P(JobLifeTest, AReportThatIsSentAgainCountsOnce) {
  add(job("j"));
  const wire::Report report = readsOf("j", "clicks/ds=1", 100);
  ASSERT_TRUE(stores_->reports.report(report));
  ASSERT_TRUE(stores_->reports.report(report));
  EXPECT_EQ(stores_->jobs.getJob("j")->progress.at(0).readBytes, 100);
}

TEST_P(JobLifeTest, ReadsOfEndedAndUnknownJobsAreNamedAndNotKept) {
  add(job("j"));
  ASSERT_TRUE(tell("j", wire::JobState::FINISHED));
  wire::Report report = readsOf("j", "clicks/ds=1", 100);
  report.reads.push_back(report.reads[0]);
  report.reads[1].__set_job("ghost");
  const auto outcome = stores_->reports.report(report);
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->unknownJobs, ElementsAre("ghost", "j"));
  EXPECT_EQ(stateOf("j"), wire::JobState::FINISHED);
  EXPECT_TRUE(stores_->jobs.getJob("j")->progress.empty());
}

TEST_P(JobLifeTest, DemandIsCountedForTheTableThatHoldsTheDirectory) {
  putTable("clicks-eu");
  ASSERT_TRUE(stores_->reports.report(demand(10, 1, "clicks/ds=1")));
  ASSERT_TRUE(stores_->reports.report(demand(10, 1, "clicks")));
  ASSERT_TRUE(stores_->reports.report(demand(500, 500, "clicks-eu/ds=1")));
  ASSERT_TRUE(stores_->reports.report(demand(7, 7, "elsewhere")));
  EXPECT_EQ(stores_->tables.get("clicks")->demand.throughCacheBytes, 20);
  EXPECT_EQ(stores_->tables.get("clicks")->demand.pastCacheBytes, 2);
  clock_.advance(25h);
  ASSERT_TRUE(housekeeper().forgetOldThings());
  EXPECT_EQ(stores_->tables.get("clicks")->demand.throughCacheBytes, 0) << "it is of the last day";
}

TEST_P(JobLifeTest, RefusesAReportThatMakesNoSense) {
  wire::Report bad = readsOf("j", "../x", -1);
  bad.__set_reporter("");
  EXPECT_THAT(stores_->reports.report(bad).error().message,
              testing::AllOf(HasSubstr("reporter"), HasSubstr("reads[0].directory"), HasSubstr("negative")));
}

TEST_P(JobLifeTest, ASilentJobExpires) {
  add(job("running"));
  add(job("queued"));
  wire::Job patient = job("patient");
  patient.__set_ttlMs(3'600'000);
  add(patient);
  ASSERT_TRUE(tell("running", wire::JobState::RUNNING));
  ASSERT_TRUE(tell("patient", wire::JobState::RUNNING));
  clock_.advance(9min);
  ASSERT_TRUE(stores_->reports.report(readsOf("running", "clicks/ds=1", 1)));
  clock_.advance(9min);
  EXPECT_EQ(*housekeeper().expireSilentJobs(), 0) << "a read was a sign of life";
  clock_.advance(2min);
  EXPECT_EQ(*housekeeper().expireSilentJobs(), 1);
  EXPECT_EQ(stateOf("running"), wire::JobState::EXPIRED);
  EXPECT_THAT(stores_->jobs.getJob("running")->reason, HasSubstr("no sign of life"));
  EXPECT_EQ(stateOf("queued"), wire::JobState::QUEUED) << "a queue may be long";
  EXPECT_EQ(stateOf("patient"), wire::JobState::RUNNING) << "it has a time to live of its own";
  clock_.advance(25h);
  EXPECT_EQ(*housekeeper().expireSilentJobs(), 2);
}

TEST_P(JobLifeTest, PartitionsThatAppearAndGoAreFoundAgain) {
  files_ = {"clicks/ds=1/a", "clicks/ds=2/a"};
  add(jobWithPredicate("j", "ds>=1"));
  add(job("listed"));
  const std::int64_t revision = stores_->jobs.getJob("listed")->revision;
  EXPECT_EQ(*housekeeper().expandPredicates(), 0);
  files_ = {"clicks/ds=2/a", "clicks/ds=3/a", "clicks/ds=10/a"};
  EXPECT_EQ(*housekeeper().expandPredicates(), 1);
  EXPECT_THAT(stores_->jobs.getJob("j")->dataset.partitions,
              ElementsAre("clicks/ds=2", "clicks/ds=3", "clicks/ds=10"));
  EXPECT_EQ(stores_->jobs.getJob("listed")->revision, revision);
  EXPECT_EQ(stores_->tables.get("clicks")->storedBytes, 30);
}

TEST_P(JobLifeTest, ATableThatCannotBeListedLeavesItsJobsAsTheyAre) {
  files_ = {"clicks/ds=1/a"};
  add(jobWithPredicate("j", "ds>=1"));
  files_.clear();
  EXPECT_EQ(*housekeeper().expandPredicates(), 0);
  EXPECT_EQ(stores_->jobs.getJob("j")->dataset.partitions.size(), 1u);
}

TEST_P(JobLifeTest, WhatHasEndedLongAgoIsForgotten) {
  add(job("old"));
  ASSERT_TRUE(tell("old", wire::JobState::FINISHED));
  clock_.advance(719h);
  add(job("live"));
  ASSERT_TRUE(housekeeper().forgetOldThings());
  EXPECT_TRUE(stores_->jobs.getJob("old"));
  clock_.advance(2h);
  ASSERT_TRUE(housekeeper().forgetOldThings());
  EXPECT_FALSE(stores_->jobs.getJob("old"));
  EXPECT_TRUE(stores_->jobs.getJob("live"));
}

}  // namespace
}  // namespace shift::gms
