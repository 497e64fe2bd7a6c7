#include "gms/GmsFollower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gms/SnapshotFile.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::gms {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

wire::Job job(const std::string& id, const std::string& owner = "") {
  wire::Job job;
  job.__set_id(id);
  job.__set_owner(owner);
  job.dataset.__set_partitions({"t/ds=1"});
  return job;
}

wire::RingMember member(const std::string& id) {
  wire::RingMember member;
  member.__set_id(id);
  member.__set_address("host:1");
  return member;
}

wire::Changes page(std::int64_t revision, const std::string& cursor = "") {
  wire::Changes page;
  page.__set_instance("store-1");
  page.__set_revision(revision);
  page.__set_cursor(cursor);
  return page;
}

wire::Removed removedJob(const std::string& id) {
  wire::Removed removed;
  removed.__set_kind(wire::ChangeKind::JOBS);
  removed.__set_key(id);
  return removed;
}

/** A follower of a GMS that answers what the test lays ready, one page a question. */
class GmsFollowerTest : public testing::Test {
 protected:
  GmsFollowerTest() { restart(); }

  void restart(const std::string& file = "") {
    follower_.reset();
    ids_.clear();
    follower_ = std::make_unique<GmsFollower>(
        GmsFollower::Config{.kinds = wire::ChangeKind::JOBS | wire::ChangeKind::MEMBERS,
                            .file = file,
                            .counterPrefix = "node"},
        [this](const wire::ChangesRequest& request) { return answer(request); },
        [this](const Snapshot&, const SnapshotUpdate& update) { note(update); }, clock_, counters_);
  }

  Result<wire::Changes> answer(const wire::ChangesRequest& request) {
    asked_.push_back(request);
    if (answers_.empty()) {
      return Error{ErrorCode::kUnavailable, "the GMS is down"};
    }
    wire::Changes next = answers_.front();
    answers_.erase(answers_.begin());
    return next;
  }

  void note(const SnapshotUpdate& update) {
    ids_.clear();
    ended_ = update.endedJobs;
    membersChanged_ = update.members;
    for (const auto& one : update.jobs) {
      ids_.push_back(one->id);
    }
  }

  void know(const std::vector<wire::Job>& jobs) {
    wire::Changes all = page(7);
    all.__set_reset(true);
    all.__set_jobs(jobs);
    answers_.push_back(all);
    ASSERT_TRUE(follower_->tick());
  }

  std::vector<std::string> known() const {
    std::vector<std::string> ids;
    for (const auto& [id, one] : follower_->snapshot()->jobs) {
      ids.push_back(id);
    }
    return ids;
  }

  std::int64_t counter(const std::string& name) { return counters_.counter(name, "").value(); }

  test::TemporaryDirectory directory_;
  ManualClock clock_;
  CounterRegistry counters_;
  std::vector<wire::Changes> answers_;
  std::vector<wire::ChangesRequest> asked_;
  std::vector<std::string> ids_;
  std::vector<std::string> ended_;
  bool membersChanged_ = false;
  std::unique_ptr<GmsFollower> follower_;
};

TEST_F(GmsFollowerTest, AsksForEverythingAtFirstAndForNewsAfterwards) {
  know({job("a"), job("b")});
  EXPECT_EQ(asked_.back().revision, 0);
  EXPECT_THAT(ids_, ElementsAre("a", "b"));

  wire::Changes news = page(9);
  news.__set_jobs({job("c")});
  news.__set_removed({removedJob("a")});
  answers_.push_back(news);
  ASSERT_TRUE(follower_->tick());
  EXPECT_EQ(asked_.back().revision, 7);
  EXPECT_EQ(asked_.back().instance, "store-1");
  EXPECT_THAT(ids_, ElementsAre("c"));
  EXPECT_THAT(ended_, ElementsAre("a"));
  EXPECT_THAT(known(), ElementsAre("b", "c"));
}

TEST_F(GmsFollowerTest, PutsPagesTogetherBeforeItShowsThem) {
  wire::Changes first = page(5, "more");
  first.__set_reset(true);
  first.__set_jobs({job("a")});
  wire::Changes second = page(5);
  second.__set_reset(true);
  second.__set_jobs({job("b")});
  second.__set_members({member("n1")});
  second.__set_ringEpoch(3);
  answers_ = {first, second};
  ASSERT_TRUE(follower_->tick());
  EXPECT_EQ(asked_.back().cursor, "more");
  EXPECT_EQ(asked_.back().revision, 0) << "the revision asked with first";
  EXPECT_THAT(known(), ElementsAre("a", "b"));
  EXPECT_EQ(follower_->snapshot()->ringEpoch, 3);
  EXPECT_TRUE(membersChanged_);
}

TEST_F(GmsFollowerTest, ShowsNothingOfAnAnswerThatBreaksOff) {
  know({job("a")});
  wire::Changes half = page(9, "more");
  half.__set_jobs({job("b")});
  answers_.push_back(half);
  EXPECT_FALSE(follower_->tick());
  EXPECT_THAT(known(), ElementsAre("a"));
  EXPECT_EQ(follower_->snapshot()->revision, 7);
}

TEST_F(GmsFollowerTest, GoesOnWithWhatItKnewWhileTheGmsIsDownAndSaysSo) {
  know({job("a")});
  clock_.advance(3s);
  EXPECT_FALSE(follower_->tick());
  EXPECT_THAT(known(), ElementsAre("a"));
  EXPECT_FALSE(follower_->health().connected);
  EXPECT_EQ(counter("node_gms_connected"), 0);
  EXPECT_EQ(counter("node_gms_failures_total"), 1);
  EXPECT_EQ(counter("node_gms_staleness_nanoseconds"), 3'000'000'000);

  answers_.push_back(page(7));
  EXPECT_TRUE(follower_->tick());
  EXPECT_EQ(counter("node_gms_connected"), 1);
  EXPECT_EQ(counter("node_gms_staleness_nanoseconds"), 0);
}

TEST_F(GmsFollowerTest, AReplacedDatabaseEndsWhatItDoesNotHoldAndLeavesTheRest) {
  know({job("a"), job("b"), job("c", "ann")});
  wire::Changes other = page(2);
  other.__set_instance("store-2");
  other.__set_reset(true);
  other.__set_jobs({job("b"), job("c", "bob"), job("d")});
  answers_.push_back(other);
  ASSERT_TRUE(follower_->tick());
  EXPECT_THAT(ids_, ElementsAre("c", "d")) << "b is as it was";
  EXPECT_THAT(ended_, ElementsAre("a"));
  EXPECT_EQ(follower_->snapshot()->instance, "store-2");
}

TEST_F(GmsFollowerTest, KnowsAfterARestartWhatItKnewBefore) {
  restart(directory_ / "gms.snapshot");
  know({job("a"), job("b")});
  restart(directory_ / "gms.snapshot");
  EXPECT_FALSE(follower_->tick()) << "the GMS is down";
  EXPECT_THAT(known(), ElementsAre("a", "b"));
  EXPECT_THAT(ids_, UnorderedElementsAre("a", "b")) << "the listener is told too";
  EXPECT_EQ(asked_.back().revision, 7) << "and it catches up from there";
}

TEST_F(GmsFollowerTest, BeginsWithNothingWhenItsFileIsBroken) {
  know({job("a")});
  std::string bytes = encodeSnapshot(*follower_->snapshot());
  bytes.back() ^= 1;
  restart(directory_.write("gms.snapshot", bytes));
  EXPECT_FALSE(follower_->tick());
  EXPECT_THAT(known(), IsEmpty());
}

TEST(SnapshotFile, RefusesWhateverItDidNotWrite) {
  Snapshot snapshot;
  snapshot.jobs["a"] = std::make_shared<const wire::Job>(job("a"));
  const std::string good = encodeSnapshot(snapshot);
  const auto decode = [](const std::string& bytes) {
    return decodeSnapshot(std::as_bytes(std::span(bytes)));
  };
  ASSERT_TRUE(decode(good));
  EXPECT_EQ(decode(good)->jobs.size(), 1u);
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    EXPECT_FALSE(decode(good.substr(0, cut))) << cut;
  }
  EXPECT_FALSE(decode("SHIFTGM1" + std::string(100, 'x')));
}

}  // namespace
}  // namespace shift::gms
