#include "control-plane/ControlPlane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "common/ConfigSchema.h"
#include "tests/unit/control-plane/PlanFixture.h"

namespace shift::control {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr double kRoom = -std::numeric_limits<double>::infinity();

Parameters with(const std::string& policy) {
  Parameters parameters;
  parameters.policy = policy;
  return parameters;
}

class ControlPlaneTest : public ::testing::Test {
 protected:
  void start(const Parameters& parameters) {
    plane_ = std::make_unique<ControlPlane>(
        parameters, NodeFacts{.blockSize = kTestBlock, .segmentSize = 256 * kKiB, .owns = {}});
  }
  void announce(const JobSpec& spec) {
    plane_->applySpecs({&spec, 1}, now_);
    for (const std::string& wanted : plane_->wantedListings()) {
      plane_->setListing(wanted, filesOf(wanted.substr(wanted.find(':') + 1), 20), now_);
    }
  }
  void readOn(const std::string& job, const std::string& directory, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t block = from; block < to; ++block) {
      plane_->record(readOf(job, directory, block), now_);
      now_ += 1s;
      if (now_ >= nextRefresh_) {
        refresh();
      }
    }
  }
  void refresh() {
    plane_->refresh(now_);
    nextRefresh_ = now_ + 10s;
  }
  Decision decide(const std::string& directory, std::uint32_t block, double floor = kRoom) {
    return plane_->decide(readOf("any", directory, block), floor, now_);
  }

  std::unique_ptr<ControlPlane> plane_;
  TimePoint now_{10h};
  TimePoint nextRefresh_{10h + 10s};
};

TEST_F(ControlPlaneTest, ThrowsOnBadParametersAtStart) {
  EXPECT_THROW(start(with("clairvoyant")), ConfigError);
}

TEST_F(ControlPlaneTest, HistoricAdmitsWhatSeveralHaveRead) {
  start(with("historic"));
  readOn("job-1", "shared", 0, 20);
  readOn("job-1", "lonely", 0, 20);
  readOn("job-2", "shared", 0, 10);
  refresh();
  EXPECT_TRUE(decide("shared", 100).admit);
  EXPECT_EQ(decide("shared", 100).reason, Reason::kAboveThreshold);
  EXPECT_FALSE(decide("lonely", 100).admit);
  EXPECT_FALSE(decide("unseen", 100).admit);
  EXPECT_EQ(decide("unseen", 100).reason, Reason::kBelowThreshold);
}

TEST_F(ControlPlaneTest, FutureCountsOnlyActiveJobsThatHaveNotFinished) {
  start(with("future"));
  announce(specOf("job-1", {"d1", "d2"}));
  announce(specOf("job-2", {"d2"}));
  announce(specOf("queued", {"d1", "d2"}));
  refresh();
  EXPECT_FALSE(decide("d2", 0).admit);  // nobody is active yet
  readOn("job-1", "d1", 0, 1);
  readOn("job-2", "d2", 0, 1);
  refresh();
  EXPECT_TRUE(decide("d2", 0).admit);
  EXPECT_FALSE(decide("d1", 0).admit);  // only one active job
  readOn("job-2", "d2", 1, 200);
  refresh();
  EXPECT_FALSE(decide("d2", 0).admit);  // one has finished it
}

TEST_F(ControlPlaneTest, HybridTakesTheLargerOfTheTwo) {
  start(with("hybrid"));
  readOn("job-1", "past", 0, 10);
  readOn("job-2", "past", 0, 10);
  announce(specOf("job-1", {"future"}));
  announce(specOf("job-2", {"future"}));
  refresh();
  EXPECT_TRUE(decide("past", 50).admit);
  EXPECT_TRUE(decide("future", 50).admit);
}

TEST_F(ControlPlaneTest, PlannedRefusesWhatIsUsedLaterThanWhatIsHeld) {
  start(with("planned"));
  announce(specOf("leader", {"d"}));
  announce(specOf("follower", {"d"}));
  readOn("leader", "d", 0, 60);
  readOn("follower", "d", 0, 30);
  const Decision soon = decide("d", 35, -1e18);
  EXPECT_TRUE(soon.admit);
  EXPECT_EQ(soon.reason, Reason::kUsedSoon);
  const Decision late = decide("d", 59, soon.score);
  EXPECT_FALSE(late.admit);
  EXPECT_EQ(late.reason, Reason::kUsedTooLate);
  EXPECT_LT(late.score, soon.score);
}

TEST_F(ControlPlaneTest, PlannedDrawsInItsHorizonUnderAWriteLimit) {
  Parameters parameters = with("planned");
  parameters.writeLimit = 1000000;
  start(parameters);
  announce(specOf("leader", {"d"}));
  announce(specOf("follower", {"d"}));
  readOn("leader", "d", 0, 100);
  for (int i = 0; i < 30; ++i) {
    plane_->recordWrite(1000000000, 0);
    readOn("leader", "d", 100 + static_cast<std::uint32_t>(i), 101 + static_cast<std::uint32_t>(i));
    now_ += 9s;
    refresh();
  }
  EXPECT_FALSE(decide("d", 100).admit);
  EXPECT_EQ(decide("d", 100).reason, Reason::kBeyondHorizon);
}

TEST_F(ControlPlaneTest, ReinsertsOnlyBucketsWellAboveTheThreshold) {
  Parameters parameters = with("future");
  parameters.reinsertion = true;
  start(parameters);
  for (const char* job : {"job-1", "job-2", "job-3"}) {
    announce(specOf(job, {"three", "two"}));
  }
  for (const char* job : {"job-1", "job-2", "job-3"}) {
    readOn(job, "three", 0, 1);
  }
  plane_->finishedReading("job-3", "warehouse:two");
  refresh();
  ASSERT_TRUE(decide("three", 5).admit);
  ASSERT_TRUE(decide("two", 5).admit);
  EXPECT_TRUE(plane_->reinsert(readOf("", "three", 5).block, now_));
  EXPECT_FALSE(plane_->reinsert(readOf("", "two", 5).block, now_));
}

TEST_F(ControlPlaneTest, ChangesParametersLiveOrNotAtAll) {
  start(with("historic"));
  readOn("job-1", "d", 0, 20);
  readOn("job-2", "d", 0, 10);
  refresh();
  ASSERT_TRUE(decide("d", 100).admit);
  Parameters parameters = plane_->parameters();
  parameters.minAdmitThreshold = 5;
  ASSERT_TRUE(plane_->setParameters(parameters, now_).ok());
  EXPECT_FALSE(decide("d", 100).admit);
  parameters.policy = "clairvoyant";
  parameters.historySteps = 99;
  const Status refused = plane_->setParameters(parameters, now_);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("clairvoyant"));
  EXPECT_THAT(refused.error().message, HasSubstr("historySteps"));
  EXPECT_EQ(plane_->parameters().policy, "historic");
  EXPECT_DOUBLE_EQ(plane_->parameters().minAdmitThreshold, 5);
}

TEST_F(ControlPlaneTest, KeepsItsHistoryWhenThePolicyChanges) {
  start(with("future"));
  readOn("job-1", "d", 0, 20);
  readOn("job-2", "d", 0, 10);
  refresh();
  EXPECT_FALSE(decide("d", 100).admit);
  ASSERT_TRUE(plane_->setParameters(with("historic"), now_).ok());
  EXPECT_TRUE(decide("d", 100).admit);
}

TEST_F(ControlPlaneTest, ExplainsItsDecisions) {
  start(with("hybrid"));
  readOn("job-1", "d", 0, 20);
  readOn("job-2", "d", 0, 20);
  refresh();
  const Explanation explanation = plane_->explain(readOf("job-1", "d", 3), kRoom, now_);
  EXPECT_EQ(explanation.bucket, "warehouse:d");
  EXPECT_NEAR(explanation.historic, 2, 0.1);
  EXPECT_EQ(explanation.future, 0);
  EXPECT_TRUE(explanation.decision.admit);
  EXPECT_THAT(explanation.inWords(), HasSubstr("warehouse:d"));
  EXPECT_THAT(explanation.inWords(), HasSubstr("admitted: above-threshold"));
  ASSERT_TRUE(plane_->setParameters(with("planned"), now_).ok());
  EXPECT_THAT(plane_->explain(readOf("job-1", "d", 3), kRoom, now_).inWords(), HasSubstr("planned"));
}

TEST_F(ControlPlaneTest, MapsSpecsToTables) {
  Parameters parameters = with("future");
  parameters.mapping = Mapping::kTable;
  start(parameters);
  announce(specOf("job-1", {"clicks/ds=1", "clicks/ds=2"}));
  announce(specOf("job-2", {"clicks/ds=3"}));
  readOn("job-1", "clicks/ds=1", 0, 1);
  readOn("job-2", "clicks/ds=3", 0, 1);
  refresh();
  const Explanation explanation = plane_->explain(readOf("job-1", "clicks/ds=9", 0), kRoom, now_);
  EXPECT_EQ(explanation.bucket, "warehouse:clicks");
  EXPECT_EQ(explanation.future, 2);  // two jobs, though three directories
}

TEST_F(ControlPlaneTest, IsDrivenByManyThreads) {
  start(with("planned"));
  for (int i = 0; i < 4; ++i) {
    announce(specOf("job-" + std::to_string(i), {"d1", "d2"}));
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::string job = "job-" + std::to_string(t);
      for (std::uint32_t block = 0; block < 200; ++block) {
        for (const char* directory : {"d1", "d2", "unlisted"}) {
          const ReadRequest request = readOf(job, directory, block);
          plane_->record(request, now_);
          plane_->decide(request, kRoom, now_);
          plane_->reinsert(request.block, now_);
          plane_->recordWrite(1, 1);
        }
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    plane_->refresh(now_ + std::chrono::seconds(i));
    plane_->rescore(now_ + std::chrono::seconds(i));
    plane_->explain(readOf("job-1", "d1", 3), kRoom, now_);
    announce(specOf("late-" + std::to_string(i), {"d2"}));
    ASSERT_TRUE(plane_->setParameters(with(i % 2 == 0 ? "hybrid" : "planned"), now_).ok());
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  plane_->refresh(now_ + 30s);
  EXPECT_TRUE(decide("d1", 0).admit);
}

}  // namespace
}  // namespace shift::control
