#include "gms/store/JobStore.h"

#include "gms/json/JobJson.h"
#include "tests/unit/gms/store/StoreFixture.h"

namespace shift::gms {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JobStoreTest : public StoreFixture {
 protected:
  JobStoreTest() { putTable(); }

  std::vector<std::string> idsIn(const std::vector<std::int32_t>& states) {
    wire::JobQuery query;
    query.__set_states(states);
    std::vector<std::string> ids;
    const Result<wire::JobPage> page = stores_->jobs.listJobs(query);
    for (const wire::Job& one : page->jobs) {
      ids.push_back(one.id);
    }
    return ids;
  }
};
SHIFT_ON_BOTH_DATABASES(JobStoreTest);

TEST_P(JobStoreTest, KeepsAJobWholeAcrossARestart) {
  wire::Job full = job("j");
  full.__set_jobClass(wire::JobClass::OTHER);
  full.__set_expectedBytesPerSecond(1'500'000'000);
  full.__set_ttlMs(60'000);
  full.dataset.__set_order(wire::ReadOrder::SEEDED);
  full.dataset.__set_seed(-42);
  wire::ByteRange range;
  range.__set_offset(0);
  range.__set_length(std::int64_t{1} << 40);
  full.dataset.__set_ranges({range});
  wire::ManifestFile file;
  file.__set_path("clicks/ds=1/part 0");
  file.__set_size(7);
  file.__set_version("v1");
  full.dataset.__set_manifest({file, file});
  full.dataset.manifest[1].__isset.version = false;
  full.dataset.manifest[1].version.clear();
  add(full);
  reopen();
  const Result<wire::Job> stored = stores_->jobs.getJob("j");
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->dataset, full.dataset) << "with the partitions in the order of reading";
  EXPECT_EQ(stored->owner, "ml");
  EXPECT_EQ(stored->jobClass, wire::JobClass::OTHER);
  EXPECT_EQ(stored->ttlMs, 60'000);
  EXPECT_EQ(stored->expectedBytesPerSecond, 1'500'000'000);
  EXPECT_EQ(stored->state, wire::JobState::QUEUED);
  EXPECT_EQ(stored->createdMs, 3'600'000'000);
}

TEST_P(JobStoreTest, RegisteringTheSameJobAgainAnswersWhatIsStored) {
  add(job("j"));
  ASSERT_TRUE(tell("j", wire::JobState::RUNNING));
  const std::int64_t revision = stores_->jobs.getJob("j")->revision;
  EXPECT_EQ(add(job("j")).state, wire::JobState::RUNNING);
  EXPECT_EQ(stores_->jobs.getJob("j")->revision, revision) << "followers hear nothing of it";
}

TEST_P(JobStoreTest, RefusesAKnownIdWithAnotherBody) {
  add(job("j"));
  wire::Job other = job("j");
  other.dataset.partitions.pop_back();
  const Result<wire::Job> refused = stores_->jobs.registerJob(other, by("bob"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(stores_->jobs.getJob("j")->dataset.partitions.size(), 2u);
}

TEST_P(JobStoreTest, ANewSpecReplacesAKnownOneAsAWhole) {
  add(job("j"));
  ASSERT_TRUE(stores_->reports.report(readsOf("j", "clicks/ds=1", 5)));
  ASSERT_TRUE(stores_->reports.report(readsOf("j", "clicks/ds=2", 5, true)));
  wire::Job next = job("j");
  next.dataset.__set_partitions({"clicks/ds=1", "clicks/ds=3"});
  const Result<wire::Job> replaced = stores_->jobs.replaceJob(next, by("bob"));
  ASSERT_TRUE(replaced) << replaced.error().message;
  EXPECT_THAT(replaced->dataset.partitions, ElementsAre("clicks/ds=1", "clicks/ds=3"));
  EXPECT_EQ(replaced->state, wire::JobState::RUNNING) << "it goes on";
  const std::vector<wire::PartitionProgress> progress = stores_->jobs.getJob("j")->progress;
  ASSERT_EQ(progress.size(), 1u) << "how far it came where it still reads is kept";
  EXPECT_EQ(progress[0].directory, "clicks/ds=1");
}

TEST_P(JobStoreTest, AnEndedJobThatIsReplacedIsQueuedAnew) {
  add(job("j"));
  ASSERT_TRUE(tell("j", wire::JobState::FAILED));
  const Result<wire::Job> again = stores_->jobs.replaceJob(job("j"), by("ann"));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->state, wire::JobState::QUEUED);
  EXPECT_EQ(again->endedMs, 0);
}

TEST_P(JobStoreTest, NamesEveryFaultOfABadJobAndStoresNothing) {
  wire::Job bad = job("j");
  bad.dataset.partitions = {"../x", "elsewhere/ds=1"};
  bad.dataset.epochs = -1;
  bad.dataset.__set_store("lake");
  const Result<wire::Job> refused = stores_->jobs.registerJob(bad, by("ann"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("partitions[0]"), HasSubstr("epochs"), HasSubstr("is in store \"warehouse\""),
                    HasSubstr("\"elsewhere/ds=1\" is not below \"clicks\"")));
  bad.dataset.__set_table("ghosts");
  EXPECT_THAT(stores_->jobs.registerJob(bad, by("ann")).error().message,
              AllOf(HasSubstr("no table \"ghosts\""), HasSubstr("epochs")));
  EXPECT_THAT(idsIn({}), IsEmpty());
}

TEST_P(JobStoreTest, ListsByStateOwnerAndPage) {
  for (const char* id : {"c", "a", "b"}) {
    add(job(id));
  }
  ASSERT_TRUE(tell("a", wire::JobState::RUNNING));
  ASSERT_TRUE(tell("b", wire::JobState::FAILED));
  EXPECT_THAT(idsIn({}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(idsIn({wire::JobState::QUEUED, wire::JobState::RUNNING}), ElementsAre("a", "c"));
  EXPECT_THAT(idsIn({wire::JobState::FINISHED}), IsEmpty());
  wire::JobQuery query;
  query.__set_owner("nobody");
  EXPECT_THAT(stores_->jobs.listJobs(query)->jobs, IsEmpty());
  query = {};
  query.__set_limit(2);
  EXPECT_EQ(stores_->jobs.listJobs(query)->last, "b");
  query.__set_after("b");
  EXPECT_EQ(stores_->jobs.listJobs(query)->jobs.at(0).id, "c");
  query.__set_limit(0);
  EXPECT_EQ(stores_->jobs.listJobs(query).error().code, ErrorCode::kInvalidArgument);
}

TEST_P(JobStoreTest, AFinalStateIsFinal) {
  add(job("j"));
  ASSERT_TRUE(tell("j", wire::JobState::FINISHED));
  EXPECT_TRUE(tell("j", wire::JobState::FINISHED)) << "repeating it is no fault";
  const Result<wire::Job> refused = tell("j", wire::JobState::RUNNING);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "job \"j\" is finished and cannot become running");
  EXPECT_EQ(tell("j", wire::JobState::EXPIRED).error().code, ErrorCode::kInvalidArgument)
      << "that is not for callers to say";
}

TEST_P(JobStoreTest, AnEmptyPatchIsASignOfLifeAndNoNews) {
  const wire::Job before = add(job("j"));
  clock_.advance(5s);
  const Result<wire::Job> after = stores_->jobs.changeJob("j", {}, by("ann"));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->heartbeatMs, before.heartbeatMs + 5000);
  EXPECT_EQ(after->revision, before.revision);
}

TEST_P(JobStoreTest, ARepeatedRequestIsDoneOnce) {
  add(job("j"));
  wire::JobPatch patch;
  patch.__set_owner("first");
  ASSERT_TRUE(stores_->jobs.changeJob("j", patch, by("ann", "request-1")));
  wire::JobPatch other;
  other.__set_owner("second");
  ASSERT_TRUE(stores_->jobs.changeJob("j", other, by("ann", "request-2")));
  const Result<wire::Job> repeated = stores_->jobs.changeJob("j", patch, by("ann", "request-1"));
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->owner, "second") << "answered as it stands, not done again";
  const Result<wire::Job> misused = stores_->jobs.changeJob("j", other, by("ann", "request-1"));
  ASSERT_FALSE(misused);
  EXPECT_EQ(misused.error().code, ErrorCode::kAlreadyExists);
}

TEST_P(JobStoreTest, APredicateGivesThePartitionsInOrder) {
  files_ = {"clicks/ds=2026-10-02/hour=11/a", "clicks/ds=2026-10-01/hour=3/a",
            "clicks/ds=2026-10-01/hour=12/a", "clicks/ds=2026-09-30/hour=1/a", "clicks/_SUCCESS"};
  const wire::Job stored = add(jobWithPredicate("j", "ds>=2026-10-01 and hour<12"));
  EXPECT_THAT(stored.dataset.partitions,
              ElementsAre("clicks/ds=2026-10-01/hour=3", "clicks/ds=2026-10-02/hour=11"));
  const auto none = stores_->jobs.registerJob(jobWithPredicate("k", "ds>2030-01-01"), by("ann"));
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("matches none of the 4 partitions"));
  const auto senseless = stores_->jobs.registerJob(jobWithPredicate("k", "ds>>1"), by("ann"));
  ASSERT_FALSE(senseless);
  EXPECT_THAT(senseless.error().message, HasSubstr("at character 4"));
}

TEST_P(JobStoreTest, SaysWhichJobIsUnknown) {
  EXPECT_EQ(stores_->jobs.getJob("ghost").error().code, ErrorCode::kNotFound);
  EXPECT_THAT(tell("ghost", wire::JobState::RUNNING).error().message, HasSubstr("ghost"));
  EXPECT_EQ(stores_->jobs.deleteJob("ghost", by("ann")).error().code, ErrorCode::kNotFound);
}

TEST_P(JobStoreTest, KeepsHostileTextAsText) {
  const std::string hostile = "'; DROP TABLE jobs; -- ?1 $1 \\ \"ü\"";
  add(job(hostile));
  EXPECT_EQ(stores_->jobs.getJob(hostile)->id, hostile);
  EXPECT_FALSE(stores_->jobs.registerJob(job("a\xff"), by("ann"))) << "not UTF-8";
  EXPECT_FALSE(stores_->jobs.registerJob(job(std::string("a\0b", 3)), by("ann")));
  add(job("a"));
  EXPECT_FALSE(stores_->jobs.deleteJob(std::string("a\0b", 3), by("ann")));
  EXPECT_TRUE(stores_->jobs.getJob("a")) << "a NUL ends no name";
}

}  // namespace
}  // namespace shift::gms
