#include "gms/JobStore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/TemporaryDirectory.h"

namespace shift::gms {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class JobStoreTest : public testing::Test {
 protected:
  JobStoreTest() { reopen(); }

  void reopen() {
    store_.reset();
    store_ = *JobStore::open(directory_ / "gms.sqlite", clock_);
  }

  static wire::Job job(const std::string& id) {
    wire::Job job;
    job.__set_id(id);
    job.__set_owner("ml");
    job.dataset.__set_store("warehouse");
    job.dataset.__set_table("clicks");
    job.dataset.__set_partitions({"clicks/ds=2", "clicks/ds=1"});
    job.dataset.__set_features({"age", "country"});
    job.dataset.__set_order(wire::ReadOrder::LISTED);
    job.dataset.__set_epochs(3);
    return job;
  }

  std::vector<std::string> idsIn(const std::vector<std::int32_t>& states) {
    std::vector<std::string> ids;
    for (const wire::Job& one : *store_->listJobs(states)) {
      ids.push_back(one.id);
    }
    return ids;
  }

  test::TemporaryDirectory directory_;
  ManualClock clock_;
  std::unique_ptr<JobStore> store_;
};

TEST_F(JobStoreTest, KeepsAJobWholeAcrossARestart) {
  clock_.advance(5s);
  ASSERT_TRUE(store_->registerJob(job("j")));
  reopen();
  const Result<wire::Job> stored = store_->getJob("j");
  ASSERT_TRUE(stored);
  EXPECT_THAT(stored->dataset.partitions, ElementsAre("clicks/ds=2", "clicks/ds=1"))
      << "in the order of reading";
  EXPECT_THAT(stored->dataset.features, ElementsAre("age", "country"));
  EXPECT_EQ(stored->owner, "ml");
  EXPECT_EQ(stored->dataset.order, wire::ReadOrder::LISTED);
  EXPECT_EQ(stored->dataset.epochs, 3);
  EXPECT_EQ(stored->state, wire::JobState::QUEUED);
  EXPECT_EQ(stored->createdMs, 5000);
}

TEST_F(JobStoreTest, RegisteringTheSameJobAgainAnswersWhatIsStored) {
  ASSERT_TRUE(store_->registerJob(job("j")));
  ASSERT_TRUE(store_->setJobState("j", wire::JobState::RUNNING));
  const Result<wire::Job> again = store_->registerJob(job("j"));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->state, wire::JobState::RUNNING);
  EXPECT_EQ(store_->listJobs({})->size(), 1u);
}

TEST_F(JobStoreTest, RefusesAKnownIdWithAnotherBody) {
  ASSERT_TRUE(store_->registerJob(job("j")));
  wire::Job other = job("j");
  other.dataset.partitions.pop_back();
  const Result<wire::Job> refused = store_->registerJob(other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(store_->getJob("j")->dataset.partitions.size(), 2u);
}

TEST_F(JobStoreTest, StoresNothingOfABadJob) {
  wire::Job bad = job("j");
  bad.dataset.partitions.push_back("../x");
  bad.dataset.epochs = -1;
  const Result<wire::Job> refused = store_->registerJob(bad);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("partitions[2]"));
  EXPECT_THAT(refused.error().message, HasSubstr("epochs"));
  EXPECT_TRUE(store_->listJobs({})->empty());
}

TEST_F(JobStoreTest, ListsByStateInOrderOfRegistration) {
  for (const char* id : {"c", "a", "b"}) {
    ASSERT_TRUE(store_->registerJob(job(id)));
  }
  ASSERT_TRUE(store_->setJobState("a", wire::JobState::RUNNING));
  ASSERT_TRUE(store_->setJobState("b", wire::JobState::FAILED));
  EXPECT_THAT(idsIn({}), ElementsAre("c", "a", "b"));
  EXPECT_THAT(idsIn({wire::JobState::QUEUED, wire::JobState::RUNNING}), ElementsAre("c", "a"));
  EXPECT_THAT(idsIn({wire::JobState::FINISHED}), ElementsAre());
}

TEST_F(JobStoreTest, AFinalStateIsFinal) {
  ASSERT_TRUE(store_->registerJob(job("j")));
  ASSERT_TRUE(store_->setJobState("j", wire::JobState::FINISHED));
  EXPECT_TRUE(store_->setJobState("j", wire::JobState::FINISHED)) << "repeating it is no fault";
  const Result<wire::Job> refused = store_->setJobState("j", wire::JobState::RUNNING);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "job \"j\" is FINISHED and cannot become RUNNING");
}

TEST_F(JobStoreTest, SaysWhichJobIsUnknown) {
  EXPECT_EQ(store_->getJob("ghost").error().code, ErrorCode::kNotFound);
  EXPECT_THAT(store_->setJobState("ghost", wire::JobState::RUNNING).error().message, HasSubstr("ghost"));
}

TEST_F(JobStoreTest, KeepsHostileTextAsText) {
  wire::Job hostile = job("'; DROP TABLE jobs; --");
  ASSERT_TRUE(store_->registerJob(hostile));
  EXPECT_TRUE(store_->getJob("'; DROP TABLE jobs; --"));
}

TEST_F(JobStoreTest, RefusesAFileThatIsNotADatabase) {
  const std::string path = directory_.write("garbage.sqlite", std::string(8192, 'x'));
  const auto opened = JobStore::open(path, clock_);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("garbage.sqlite"));
  EXPECT_FALSE(JobStore::open(directory_ / "no/such/dir/x.sqlite", clock_));
}

TEST_F(JobStoreTest, RefusesADatabaseOfANewerRelease) {
  {
    Database database = Database::open(directory_ / "newer.sqlite");
    database.execute("PRAGMA user_version = 999");
  }
  const auto opened = JobStore::open(directory_ / "newer.sqlite", clock_);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("schema 999"));
}

}  // namespace
}  // namespace shift::gms
