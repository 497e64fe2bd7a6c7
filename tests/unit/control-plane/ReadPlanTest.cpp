#include "control-plane/ReadPlan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/unit/control-plane/PlanFixture.h"

namespace shift::control {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReadPlanTest : public ::testing::Test {
 protected:
  void announce(const JobSpec& spec) {
    plan_.applySpecs({&spec, 1}, now_);
    for (const std::string& wanted : plan_.wantedListings()) {
      const std::string directory = wanted.substr(wanted.find(':') + 1);
      plan_.setListing(wanted, filesOf(directory, 20), now_);
    }
  }
  /** The job reads blocks [from, to), one per second; refreshes every ten seconds. */
  void readOn(const std::string& job, const std::string& directory, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t block = from; block < to; ++block) {
      pass(1);
      plan_.record(readOf(job, directory, block), now_);
    }
  }
  void pass(double seconds) {
    for (double left = seconds; left > 0; left -= 1) {
      now_ += 1;
      if (now_ >= nextRefresh_) {
        for (const ScoreChange& change : plan_.refresh(now_)) {
          scores_[change.group] = change.score;
        }
        nextRefresh_ += 10;
      }
    }
  }
  NextUse next(const std::string& directory, std::uint32_t block) {
    return plan_.nextUse(readOf("", directory, block).block, now_);
  }

  ReadPlan plan_{kTestBlock, [](const BlockId&) { return true; }};
  double now_ = 1000;
  double nextRefresh_ = 1010;
  std::map<BlockId, double> scores_;
};

TEST_F(ReadPlanTest, ForeseesWhenAFollowerComesBy) {
  announce(specOf("leader", {"d"}));
  announce(specOf("follower", {"d"}));
  readOn("leader", "d", 0, 50);
  for (std::uint32_t i = 0; i < 50; ++i) {
    pass(1);
    plan_.record(readOf("leader", "d", 50 + i), now_);
    plan_.record(readOf("follower", "d", i), now_);
  }
  const NextUse use = next("d", 90);
  EXPECT_TRUE(use.known);
  EXPECT_EQ(use.uses, 1U);
  EXPECT_NEAR(use.time - now_, 41, 4);
  EXPECT_EQ(next("d", 30).uses, 0U);  // both have passed
  EXPECT_FALSE(next("d", 30).known);
  EXPECT_EQ(next("d", 150).uses, 2U);
}

TEST_F(ReadPlanTest, ForeseesLaterPartitionsFromThePaceInThisOne) {
  announce(specOf("job", {"d1", "d2"}));
  readOn("job", "d1", 0, 100);
  EXPECT_NEAR(next("d2", 0).time - now_, 100, 10);
  EXPECT_NEAR(next("d2", 150).time - now_, 250, 20);
}

TEST_F(ReadPlanTest, ForeseesTheNextEpochOfWhatWasRead) {
  JobSpec spec = specOf("job", {"d"});
  spec.epochs = 3;
  announce(spec);
  readOn("job", "d", 0, 150);
  EXPECT_NEAR(next("d", 170).time - now_, 20, 5);  // in this epoch
  EXPECT_NEAR(next("d", 0).time - now_, 50, 10);   // in the next
  EXPECT_NEAR(next("d", 100).time - now_, 50 + 100, 15);
  readOn("job", "d", 150, 200);
  readOn("job", "d", 0, 50);
  EXPECT_NEAR(next("d", 100).time - now_, 50, 10);  // the second epoch has begun
  EXPECT_NEAR(next("d", 0).time - now_, 150, 15);   // and a third will
  readOn("job", "d", 50, 200);
  readOn("job", "d", 0, 50);
  EXPECT_NEAR(next("d", 100).time - now_, 50, 10);
  EXPECT_FALSE(next("d", 0).known);  // the third is the last
}

TEST_F(ReadPlanTest, ForeseesTheNextEpochOfAJobThatReadsSeveralPartitions) {
  JobSpec spec = specOf("job", {"d1", "d2"});
  spec.epochs = 2;
  announce(spec);
  readOn("job", "d1", 0, 200);
  EXPECT_NEAR(next("d1", 0).time - now_, 200, 20);
  readOn("job", "d2", 0, 200);
  readOn("job", "d1", 0, 100);
  EXPECT_NEAR(next("d1", 150).time - now_, 50, 10);
  EXPECT_NEAR(next("d2", 0).time - now_, 100, 15);
  EXPECT_FALSE(next("d1", 50).known);
}

TEST_F(ReadPlanTest, CountsAnEpochOfAJobThatShufflesEachOne) {
  JobSpec spec = specOf("job", {"d"});
  spec.epochs = 2;
  spec.order = ReadOrder::kUnknown;
  announce(spec);
  const auto readAll = [&](std::uint32_t stride) {  // strides without a common factor with 200
    for (std::uint32_t i = 0; i < 200; ++i) {
      readOn("job", "d", i * stride % 200, i * stride % 200 + 1);
    }
  };
  readAll(67);
  pass(10);
  EXPECT_TRUE(next("d", 3).known);
  readAll(91);
  pass(10);
  EXPECT_FALSE(next("d", 3).known);
}

TEST_F(ReadPlanTest, ALastBlockThatIsAskedForAgainAndAgainBeginsNoEpoch) {
  JobSpec spec = specOf("job", {"d"});
  spec.epochs = 2;
  announce(spec);
  readOn("job", "d", 0, 200);
  for (int i = 0; i < 30; ++i) {
    plan_.record(readOf("job", "d", 199), now_);
  }
  pass(20);
  EXPECT_TRUE(next("d", 199).known);
  EXPECT_TRUE(next("d", 0).known);
}

TEST_F(ReadPlanTest, AJobWithEpochsLeftIsPendingInWhatItHasRead) {
  JobSpec spec = specOf("job", {"d"});
  spec.epochs = 2;
  announce(spec);
  const auto pending = [&] {
    std::vector<std::string> jobs;
    plan_.forEachPending([&](const ReadPlan::PendingRead& read) { jobs.push_back(std::string(read.job)); });
    return jobs;
  };
  readOn("job", "d", 0, 200);
  EXPECT_THAT(pending(), ElementsAre("job"));
  readOn("job", "d", 0, 200);
  EXPECT_THAT(pending(), IsEmpty());
}

TEST_F(ReadPlanTest, KeepsWhatWasReadWhenOtherBlocksBecomeItsOwn) {
  announce(specOf("job", {"d"}));
  readOn("job", "d", 0, 100);
  const auto isEven = [](const BlockId& id) {
    for (std::uint32_t block = 0; block < 200; block += 2) {
      if (readOf("", "d", block).block == id) {
        return true;
      }
    }
    return false;
  };
  plan_.setOwnership(isEven);
  ASSERT_THAT(plan_.wantedListings(), ElementsAre("warehouse:d"));
  plan_.setListing("warehouse:d", filesOf("d", 20), now_);
  EXPECT_THAT(plan_.wantedListings(), IsEmpty());
  pass(10);
  EXPECT_EQ(next("d", 50).uses, 0U);  // was read
  EXPECT_EQ(next("d", 150).uses, 1U);
  EXPECT_EQ(next("d", 151).uses, 0U);  // another node's
}

TEST_F(ReadPlanTest, ScoresABlockAnewAsSoonAsItIsRead) {
  announce(specOf("job", {"d"}));
  readOn("job", "d", 0, 30);
  plan_.takeTouched();
  plan_.record(readOf("job", "d", 30), now_);
  const std::vector<ScoreChange> touched = plan_.takeTouched();
  ASSERT_EQ(touched.size(), 1U);
  EXPECT_EQ(touched[0].group, readOf("", "d", 30).block);
  EXPECT_LT(touched[0].score, -now_ - 3600);
}

TEST_F(ReadPlanTest, TakesAJobWithoutASpecToReadOn) {
  plan_.setListing("warehouse:d", filesOf("d", 20), now_);
  readOn("stranger", "d", 0, 60);
  EXPECT_TRUE(next("d", 100).known);
  EXPECT_NEAR(next("d", 100).time - now_, 41, 5);
}

TEST_F(ReadPlanTest, LearnsAnUnlistedPartitionFromItsFirstReader) {
  readOn("first", "d", 0, 200);
  pass(20);
  readOn("second", "d", 0, 50);
  EXPECT_EQ(next("d", 100).uses, 1U);
  EXPECT_NEAR(next("d", 100).time - now_, 51, 6);
}

TEST_F(ReadPlanTest, ExpectsUnannouncedJobsToKeepComing) {
  plan_.setListing("warehouse:d", filesOf("d", 20), now_);
  for (int i = 0; i < 5; ++i) {
    plan_.record(readOf("job-" + std::to_string(i), "d", 0), now_);
    pass(600);
  }
  const NextUse use = next("d", 0);
  EXPECT_TRUE(use.known);
  EXPECT_NEAR(use.time - now_, 750, 150);
}

TEST_F(ReadPlanTest, ForgetsAJobThatHasEnded) {
  JobSpec spec = specOf("job", {"d"});
  announce(spec);
  readOn("job", "d", 0, 30);
  EXPECT_TRUE(next("d", 100).known);
  spec.state = JobState::kFailed;
  plan_.applySpecs({&spec, 1}, now_);
  pass(10);
  EXPECT_FALSE(next("d", 100).known);
  EXPECT_LT(scores_.at(readOf("", "d", 100).block), -now_ - 3600);
}

TEST_F(ReadPlanTest, LetsAStalledJobWait) {
  announce(specOf("stalled", {"d"}));
  announce(specOf("steady", {"e"}));
  readOn("stalled", "d", 0, 50);
  const double before = next("d", 60).time;
  readOn("steady", "e", 0, 200);
  EXPECT_GT(next("d", 60).time, before + 300);
}

TEST_F(ReadPlanTest, CountsAPartitionAsPendingUntilItIsRead) {
  announce(specOf("job", {"d1", "d2"}));
  const auto pending = [&] {
    std::vector<std::string> directories;
    plan_.forEachPending(
        [&](const ReadPlan::PendingRead& read) { directories.emplace_back(read.directory); });
    std::ranges::sort(directories);
    return directories;
  };
  EXPECT_THAT(pending(), ElementsAre("warehouse:d1", "warehouse:d2"));
  readOn("job", "d1", 0, 199);  // 99.5 %
  EXPECT_THAT(pending(), ElementsAre("warehouse:d2"));
  plan_.finishedReading("job", "warehouse:d2");
  EXPECT_THAT(pending(), IsEmpty());
}

TEST_F(ReadPlanTest, TakesAJobThatHasMovedOnAsFinished) {
  announce(specOf("job", {"d1", "d2"}));
  readOn("job", "d1", 0, 50);
  readOn("job", "d2", 0, 40);
  std::vector<std::string> directories;
  plan_.forEachPending([&](const ReadPlan::PendingRead& read) { directories.emplace_back(read.directory); });
  EXPECT_THAT(directories, ElementsAre("warehouse:d2"));
  EXPECT_FALSE(next("d1", 100).known);
}

TEST_F(ReadPlanTest, ReadsAShuffledPartitionInItsOrder) {
  JobSpec spec = specOf("job", {"d"});
  spec.order = ReadOrder::kSeeded;
  spec.seed = 42;
  announce(spec);
  const std::vector<std::uint32_t> order = shuffledFiles(42, 20);
  for (std::uint32_t i = 0; i < 5; ++i) {
    readOn("job", "d", order[i] * 10, order[i] * 10 + 10);
  }
  EXPECT_NEAR(next("d", order[5] * 10).time - now_, 1, 4);
  EXPECT_NEAR(next("d", order[19] * 10).time - now_, 141, 10);
}

TEST_F(ReadPlanTest, MakesAPartitionOfEachDirectoryBelow) {
  const JobSpec spec = specOf("job", {"table"});
  plan_.applySpecs({&spec, 1}, now_);
  std::vector<ListedFile> files = filesOf("table/ds=2", 10);
  std::ranges::copy(filesOf("table/ds=1", 10), std::back_inserter(files));
  plan_.setListing("warehouse:table", files, now_);
  EXPECT_THAT(plan_.wantedListings(), IsEmpty());
  readOn("job", "table/ds=1", 0, 50);
  EXPECT_NEAR(next("table/ds=2", 0).time - now_, 50, 6);
}

TEST_F(ReadPlanTest, KeepsProgressWhenAListingComesLate) {
  const JobSpec spec = specOf("job", {"d"});
  plan_.applySpecs({&spec, 1}, now_);
  readOn("job", "d", 0, 50);
  pass(10);
  plan_.setListing("warehouse:d", filesOf("d", 20), now_);
  readOn("job", "d", 50, 70);
  EXPECT_FALSE(next("d", 20).known);
  EXPECT_NEAR(next("d", 100).time - now_, 31, 5);
}

TEST_F(ReadPlanTest, ForgetsWhatNobodyHasUsedForAWindow) {
  readOn("job", "d", 0, 50);
  pass(10);
  scores_.clear();
  now_ += 7 * 3600;
  nextRefresh_ = now_ + 1;
  pass(30);
  EXPECT_EQ(scores_.size(), 50U);
  EXPECT_FALSE(next("d", 10).known);
}

}  // namespace
}  // namespace shift::control
