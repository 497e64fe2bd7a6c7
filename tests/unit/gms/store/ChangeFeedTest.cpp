#include "gms/store/ChangeFeed.h"

#include "gms/GmsFollower.h"
#include "gms/store/ChangeCursor.h"
#include "tests/unit/gms/store/StoreFixture.h"

namespace shift::gms {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::int32_t kAll = wire::ChangeKind::JOBS | wire::ChangeKind::TABLES | wire::ChangeKind::RULES |
                              wire::ChangeKind::MEMBERS | wire::ChangeKind::PARAMETERS;

/** The feed as a real follower takes it. */
class ChangeFeedTest : public StoreFixture {
 protected:
  ChangeFeedTest() {
    putTable();
    follow(kAll);
  }

  void follow(std::int32_t kinds) {
    follower_ = std::make_unique<GmsFollower>(
        GmsFollower::Config{.kinds = kinds, .file = "", .counterPrefix = "test"},
        [this](const wire::ChangesRequest& request) {
          ++pages_;
          Result<wire::Changes> page = stores_->changes.changesSince(request);
          reset_ = page && page->reset;
          return page;
        },
        [this](const Snapshot&, const SnapshotUpdate& update) { update_ = update; }, clock_, counters_);
  }

  void catchUp() {
    pages_ = 0;
    update_ = {};
    const Status done = follower_->tick();
    ASSERT_TRUE(done) << done.error().message;
  }

  std::vector<std::string> changedJobs() const {
    std::vector<std::string> ids;
    for (const auto& one : update_.jobs) {
      ids.push_back(one->id);
    }
    return ids;
  }

  CounterRegistry counters_;
  int pages_ = 0;
  bool reset_ = false;
  SnapshotUpdate update_;
  std::unique_ptr<GmsFollower> follower_;
};
SHIFT_ON_BOTH_DATABASES(ChangeFeedTest);

TEST_P(ChangeFeedTest, GivesEverythingAtFirstAndThenWhatChanged) {
  add(job("a"));
  add(job("b"));
  catchUp();
  EXPECT_TRUE(reset_);
  EXPECT_THAT(changedJobs(), ElementsAre("a", "b"));
  EXPECT_TRUE(follower_->snapshot()->tables.contains("clicks"));

  ASSERT_TRUE(tell("a", wire::JobState::RUNNING));
  add(job("c"));
  catchUp();
  EXPECT_FALSE(reset_);
  EXPECT_THAT(changedJobs(), ElementsAre("a", "c"));
  EXPECT_EQ(follower_->snapshot()->jobs.at("a")->state, wire::JobState::RUNNING);

  catchUp();
  EXPECT_EQ(pages_, 1);
  EXPECT_FALSE(update_.any());
}

TEST_P(ChangeFeedTest, JobsThatEndOrAreDeletedAreRemoved) {
  for (const char* id : {"a", "b", "c", "d"}) {
    add(job(id));
  }
  catchUp();
  ASSERT_TRUE(tell("a", wire::JobState::FINISHED));
  ASSERT_TRUE(tell("b", wire::JobState::FAILED));
  ASSERT_TRUE(stores_->jobs.deleteJob("c", by("ann")));
  catchUp();
  EXPECT_THAT(update_.endedJobs, UnorderedElementsAre("a", "b", "c"));
  follow(kAll);
  catchUp();
  EXPECT_THAT(changedJobs(), ElementsAre("d")) << "a newcomer hears only of the living";
}

TEST_P(ChangeFeedTest, WhatComesBackIsThere) {
  add(job("a"));
  catchUp();
  ASSERT_TRUE(stores_->jobs.deleteJob("a", by("ann")));
  add(job("a"));
  catchUp();
  EXPECT_TRUE(follower_->snapshot()->jobs.contains("a"));
}

TEST_P(ChangeFeedTest, TellsOfRulesMembersAndParameters) {
  wire::EligibilityRule rule;
  rule.__set_id("pilot");
  rule.__set_table("clicks");
  rule.__set_action(wire::RuleAction::CACHE);
  rule.__set_percentage(12.5);
  ASSERT_TRUE(stores_->rules.put(rule, by("ann")));
  wire::RingMember member;
  member.__set_id("n1");
  member.__set_address("10.0.0.1:7400");
  member.__set_weight(0.1);
  ASSERT_TRUE(stores_->members.put(member, by("ann")));
  wire::Parameter parameter;
  parameter.__set_node("n1");
  parameter.__set_name("policy.name");
  parameter.__set_value("hybrid");
  ASSERT_TRUE(stores_->parameters.put(parameter, by("ann")));
  catchUp();
  const auto known = follower_->snapshot();
  EXPECT_EQ(known->rules.at("pilot")->percentage, 12.5);
  EXPECT_EQ(known->members.at("n1")->weight, 0.1) << "to the last bit";
  EXPECT_EQ(known->parameters.at("n1/policy.name")->value, "hybrid");
  EXPECT_EQ(known->ringEpoch, 1);

  ASSERT_TRUE(stores_->rules.remove("pilot", by("ann")));
  ASSERT_TRUE(stores_->members.remove("n1", by("ann")));
  ASSERT_TRUE(stores_->parameters.remove("n1/policy.name", by("ann")));
  catchUp();
  EXPECT_THAT(follower_->snapshot()->rules, IsEmpty());
  EXPECT_THAT(follower_->snapshot()->members, IsEmpty());
  EXPECT_THAT(follower_->snapshot()->parameters, IsEmpty());
  EXPECT_EQ(follower_->snapshot()->ringEpoch, 2) << "a member's going is a new epoch";
}

TEST_P(ChangeFeedTest, GivesOnlyTheKindsThatWereAskedFor) {
  add(job("a"));
  follow(wire::ChangeKind::TABLES);
  catchUp();
  EXPECT_THAT(follower_->snapshot()->jobs, IsEmpty());
  EXPECT_EQ(follower_->snapshot()->tables.size(), 1u);
}

TEST_P(ChangeFeedTest, PagesStayBelowFourMebibytesAndMissNothing) {
  constexpr int kJobs = 6;
  for (int i = 0; i < kJobs; ++i) {
    wire::Job large = job("job-" + std::to_string(i));
    large.dataset.partitions.clear();
    for (int p = 0; p < 1000 * (i % 3 + 1); ++p) {
      large.dataset.partitions.push_back("clicks/" + std::string(500, 'x') + std::to_string(p));
    }
    add(large);
  }
  wire::ChangesRequest request;
  request.__set_kinds(kAll);
  std::size_t jobs = 0;
  for (;;) {
    const Result<wire::Changes> page = stores_->changes.changesSince(request);
    ASSERT_TRUE(page);
    std::size_t bytes = 0;
    for (const wire::Job& one : page->jobs) {
      for (const std::string& directory : one.dataset.partitions) {
        bytes += directory.size() + 4;
      }
    }
    EXPECT_LT(bytes, std::size_t{4} << 20U);
    jobs += page->jobs.size();
    if (page->cursor.empty()) {
      break;
    }
    request.__set_cursor(page->cursor);
  }
  EXPECT_EQ(jobs, kJobs);
  catchUp();
  EXPECT_GT(pages_, 1);
  EXPECT_EQ(follower_->snapshot()->jobs.size(), kJobs);
}

TEST_P(ChangeFeedTest, AJobThatChangesWhileEverythingIsSentIsNotMissing) {
  for (const char* id : {"a", "b", "c", "d"}) {
    wire::Job large = job(id);
    large.dataset.partitions.clear();
    for (int p = 0; p < 3000; ++p) {
      large.dataset.partitions.push_back("clicks/" + std::string(500, 'x') + std::to_string(p));
    }
    add(large);
  }
  wire::ChangesRequest request;
  request.__set_kinds(wire::ChangeKind::JOBS);
  std::vector<std::string> ids;
  for (bool more = true; more;) {
    const Result<wire::Changes> page = stores_->changes.changesSince(request);
    ASSERT_TRUE(page);
    for (const wire::Job& one : page->jobs) {
      ids.push_back(one.id);
    }
    more = !page->cursor.empty();
    request.__set_cursor(page->cursor);
    if (ids.size() < 3) {
      ASSERT_TRUE(tell("d", wire::JobState::RUNNING));
    }
  }
  EXPECT_THAT(ids, UnorderedElementsAre("a", "b", "c", "d"));
}

TEST_P(ChangeFeedTest, ManySmallThingsComeInPagesToo) {
  catchUp();
  constexpr int kParameters = 1100;
  // All in one transaction, and so of one revision: their keys tell them apart.
  const auto done = metadata_->write(
      {by("ann"), ""},
      [](Change& change) -> Status {
        for (int i = 0; i < kParameters; ++i) {
          const std::string name = "p" + std::to_string(i);
          change.run(ParameterTraits::kPut, {"/" + name, "", name, "1", change.nowMs(), change.revision()});
        }
        return {};
      },
      [](Database&) { return Status(); });
  ASSERT_TRUE(done) << done.error().message;
  catchUp();
  EXPECT_GT(pages_, 1);
  EXPECT_EQ(follower_->snapshot()->parameters.size(), kParameters);
}

TEST_P(ChangeFeedTest, AChangeBetweenTwoPagesComesWithTheNextQuestion) {
  add(job("a"));
  wire::ChangesRequest request;
  request.__set_kinds(kAll);
  const Result<wire::Changes> first = stores_->changes.changesSince(request);
  ASSERT_TRUE(first);
  add(job("b"));
  request.__set_instance(first->instance);
  request.__set_revision(first->revision);
  const Result<wire::Changes> second = stores_->changes.changesSince(request);
  ASSERT_EQ(second->jobs.size(), 1u);
  EXPECT_EQ(second->jobs[0].id, "b");
}

TEST_P(ChangeFeedTest, TellsWhichPartitionsReadersHaveFinished) {
  add(job("a"));
  ASSERT_TRUE(stores_->reports.report(readsOf("a", "clicks/ds=2", 10, true)));
  catchUp();
  ASSERT_EQ(update_.finished.size(), 1u) << "with the job, at first";
  EXPECT_EQ(update_.finished[0].directory, "clicks/ds=2");
  ASSERT_TRUE(stores_->reports.report(readsOf("a", "clicks/ds=1", 10, true)));
  catchUp();
  EXPECT_THAT(changedJobs(), IsEmpty()) << "the spec is not sent again";
  ASSERT_EQ(update_.finished.size(), 1u);
  EXPECT_EQ(update_.finished[0].directory, "clicks/ds=1");
  EXPECT_THAT(*follower_->snapshot()->finished.at("a"), ElementsAre("clicks/ds=1", "clicks/ds=2"));
}

TEST_P(ChangeFeedTest, AFollowerFromBeforeWhatIsForgottenBeginsAnew) {
  add(job("old"));
  catchUp();
  ASSERT_TRUE(tell("old", wire::JobState::FINISHED));
  clock_.advance(100h);
  Housekeeper housekeeper({.keepEnded = 50h}, *metadata_, {});
  ASSERT_TRUE(housekeeper.forgetOldThings());
  EXPECT_FALSE(stores_->jobs.getJob("old"));
  catchUp();
  EXPECT_TRUE(reset_);
  EXPECT_THAT(update_.endedJobs, ElementsAre("old"));
}

TEST_P(ChangeFeedTest, ADatabaseThatWasReplacedIsNoticed) {
  add(job("a"));
  catchUp();
  wire::ChangesRequest request;
  request.__set_kinds(kAll);
  request.__set_instance("another");
  request.__set_revision(follower_->snapshot()->revision);
  EXPECT_TRUE(stores_->changes.changesSince(request)->reset);
}

TEST_P(ChangeFeedTest, RefusesACursorThatIsNone) {
  wire::ChangesRequest request;
  request.__set_kinds(kAll);
  for (const char* nonsense : {"x", "1.2", "i.1.2.3", "i.1.-2.3.4.k", "i.1.2.99999999999999999999.4.k"}) {
    request.__set_cursor(nonsense);
    EXPECT_EQ(stores_->changes.changesSince(request).error().code, ErrorCode::kInvalidArgument) << nonsense;
  }
  const ChangeCursor cursor{
      .instance = "i", .reset = true, .target = 9, .stage = 2, .revision = 4, .key = "a.b\nc"};
  EXPECT_EQ(*decodeCursor(encodeCursor(cursor)), cursor);
}

}  // namespace
}  // namespace shift::gms
