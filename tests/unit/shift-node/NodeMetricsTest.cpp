#include "shift-node/NodeMetrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/ByteSize.h"
#include "shift-node/GetCounters.h"

namespace shift::node {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

/** An engine of which nothing is asked but how it is. */
class StatusOnly final : public Engine {
 public:
  void lookup(std::span<const SegmentKey>, Check, LookupDone done) override { done({}); }
  std::vector<bool> probe(std::span<const SegmentKey> keys) const override {
    return std::vector<bool>(keys.size());
  }
  InsertOutcome insert(const SegmentKey&, SegmentRef, double) override { return InsertOutcome::kFailed; }
  void remove(const SegmentKey&) override {}
  void setScores(std::span<const GroupScore>) override {}
  double evictionFloor() const override { return 0; }
  Status flush() override { return {}; }
  EngineStatus status() const override { return now; }
  std::size_t keyParts() const override { return 0; }
  std::vector<SegmentKey> keysIn(std::size_t) const override { return {}; }
  void verify(std::span<const SegmentKey>, VerifyDone done) override { done({}); }

  EngineStatus now{.name = "flash",
                   .capacityBytes = 1000,
                   .tiers = {{Tier::kDram, 100, 50, 5}, {Tier::kFlash, 1000, 700, 70}},
                   .devices = {{"/nvme0/cache", true}, {"/nvme1/cache", false}}};
};

class NodeMetricsTest : public testing::Test {
 protected:
  std::string text() { return metrics().text(); }

  NodeMetrics metrics() {
    plane_ = std::make_unique<control::ControlPlane>(
        controlParameters(config_), control::NodeFacts{.blockSize = kMiB, .segmentSize = 1024, .owns = {}});
    return NodeMetrics({.config = config_,
                        .engine = engine_,
                        .ledger = ledger_,
                        .counters = counters_,
                        .plane = *plane_,
                        .inForce = [this] { return inForce_; },
                        .inFlightBytes = [] { return 42; },
                        .lentBytes = [] { return 7; },
                        .clock = clock_});
  }

  NodeConfig config_;
  NodeConfig inForce_;
  std::unique_ptr<control::ControlPlane> plane_;
  StatusOnly engine_;
  TrafficLedger ledger_{1000, 2};
  CounterRegistry counters_;
  ManualClock clock_;
};

TEST_F(NodeMetricsTest, TellsAbsorbedIoAndTheDiskTimeThatWasSaved) {
  config_.disks.seek = 10ms;
  config_.disks.bytesPerSecond = 1'000'000;
  GetCounters gets(counters_);
  gets.hit(Tier::kDram, 1'000'000, 1ms);
  gets.hit(Tier::kFlash, 500'000, 2ms);
  gets.filled(300'000, 3ms);
  counters_.counter("node_backing_bytes_total", "").add(2'000'000);
  EXPECT_THAT(text(), HasSubstr("\nshift_node_absorbed_bytes -200000\n"))
      << "fills fetched more than was asked";
  EXPECT_THAT(text(), HasSubstr("\nshift_node_disk_head_saved_seconds_total 1.52\n"));
  EXPECT_THAT(text(), HasSubstr("shift_node_get_hits_total{tier=\"flash\"} 1\n"));
  EXPECT_THAT(text(), HasSubstr("shift_node_get_seconds_count{outcome=\"hit\",tier=\"flash\"} 1\n"));
}

TEST_F(NodeMetricsTest, TellsHowTheEngineIs) {
  EXPECT_THAT(text(), HasSubstr("shift_engine_device_in_use{device=\"/nvme0/cache\"} 1\n"
                                "shift_engine_device_in_use{device=\"/nvme1/cache\"} 0\n"));
  EXPECT_THAT(text(), HasSubstr("shift_engine_used_bytes{tier=\"dram\"} 50\n"
                                "shift_engine_used_bytes{tier=\"flash\"} 700\n"));
}

TEST_F(NodeMetricsTest, ShowsFlashWritesByCause) {
  counters_.counter("engine_written_admitted_bytes_total", "").add(7);
  counters_.counter("engine_written_metadata_bytes_total", "").add(2);
  EXPECT_THAT(text(), HasSubstr("shift_engine_written_bytes_total{cause=\"admitted\"} 7\n"
                                "shift_engine_written_bytes_total{cause=\"metadata\"} 2\n"));
}

TEST_F(NodeMetricsTest, NamesNoMoreBucketsAndJobsThanItMay) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    ledger_.record({"b" + std::to_string(i), "j" + std::to_string(i), GetRecord::Outcome::kHit, i, 0});
  }
  const std::string all = text();
  EXPECT_THAT(all, HasSubstr("shift_node_bucket_served_bytes_total{bucket=\"b499\"} 499\n"));
  EXPECT_THAT(all, HasSubstr("shift_node_job_served_bytes_total{job_id=\"j498\"} 498\n"));
  EXPECT_THAT(all, Not(HasSubstr("bucket=\"b497\"")));
  EXPECT_THAT(all, HasSubstr("bucket=\"(others)\""));
}

TEST_F(NodeMetricsTest, HostileNamesStayWithinTheirLabel) {
  ledger_.record({"s:a\n# TYPE x counter\nx 1", "\"}\\ \xFF", GetRecord::Outcome::kHit, 5, 0});
  EXPECT_THAT(text(), HasSubstr("_served_bytes_total{bucket=\"s:a\\n# TYPE x counter\\nx 1\"} 5\n"));
  EXPECT_THAT(text(), HasSubstr("_served_bytes_total{job_id=\"\\\"}\\\\ \xEF\xBF\xBD\"} 5\n"));
}

TEST_F(NodeMetricsTest, TellsWhereTheTunerStands) {
  config_.policy = "historic";
  config_.parameters.writeLimit = 1000;
  const std::string all = text();
  EXPECT_THAT(all, HasSubstr("\nshift_control_write_limit_bytes_per_second 1000\n"));
  EXPECT_THAT(all, HasSubstr("shift_control_pid_term{term=\"integral\"} 4\n"));
  EXPECT_THAT(all, HasSubstr("\nshift_control_horizon_seconds +Inf\n"));
  EXPECT_THAT(all, HasSubstr("policy=\"historic\""));
}

TEST_F(NodeMetricsTest, IsReadyWithoutFlashButSaysWhatIsOutOfUse) {
  const metrics::Readiness readiness = metrics().readiness();
  EXPECT_TRUE(readiness.isReady);
  EXPECT_THAT(readiness.says, HasSubstr("/nvme0/cache: in use\n"));
  EXPECT_THAT(readiness.says, HasSubstr("/nvme1/cache: out of use after too many errors\n"));
}

TEST_F(NodeMetricsTest, IsNotReadyWithoutAnEngineNorWhileItStops) {
  NodeMetrics stopping = metrics();
  stopping.stopping();
  EXPECT_FALSE(stopping.readiness().isReady);
  EXPECT_THAT(stopping.readiness().says, HasSubstr("stopping"));
  engine_.now.capacityBytes = 0;
  EXPECT_FALSE(metrics().readiness().isReady);
}

TEST_F(NodeMetricsTest, ShowsTheConfigurationThatIsInForce) {
  inForce_.policy = "hybrid";
  inForce_.parameters.minAdmitThreshold = 2.5;
  EXPECT_THAT(metrics().config(), HasSubstr("name = \"hybrid\"\n"));
  EXPECT_THAT(metrics().config(), HasSubstr("min_admit_threshold = 2.5\n"));
}

}  // namespace
}  // namespace shift::node
