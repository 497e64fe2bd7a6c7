#include "tools/sim/ProductionMix.h"

#include <gtest/gtest.h>

#include <map>

#include "tools/sim/CacheLibModel.h"

namespace shift::sim {
namespace {

constexpr double kScale = 1.0 / 1024;

Trace smallMix() {
  return generate(productionWorkload(1), {.scale = kScale, .seed = 1, .skew = calibratedSkew()});
}

TEST(ProductionMix, ReadsAsMuchAsItSays) {
  const Trace trace = smallMix();
  double bytes = 0;
  for (const TraceEvent& event : trace.events) {
    bytes += event.length;
  }
  EXPECT_NEAR(bytes / trace.seconds / kScale / ProductionMix::kReadBytesPerSecond, 1, 0.2);
}

TEST(ProductionMix, ReadsThePopularTablesMost) {
  const Trace trace = smallMix();
  const std::vector<bool> top = blocksOfTopTables(trace, 8);
  double ofTop = 0;
  for (const TraceEvent& event : trace.events) {
    ofTop += top[event.block] ? event.length : 0;
  }
  double all = 0;
  for (const TraceEvent& event : trace.events) {
    all += event.length;
  }
  // Ranks 1 to 8 of 85 under a power of -0.6.
  EXPECT_NEAR(ofTop / all, 0.30, 0.08);
}

TEST(ProductionMix, CountsOnlyWhatComesAfterTheWarmUp) {
  const Trace trace = smallMix();
  std::uint64_t after = 0;
  for (const TraceEvent& event : trace.events) {
    after += event.time >= trace.warmUpSeconds ? event.length : 0;
  }
  const Outcome outcome = runCacheLib(trace, {});
  EXPECT_EQ(outcome.readBytes, after);
  EXPECT_DOUBLE_EQ(outcome.seconds, 9 * 3600);
  EXPECT_EQ(outcome.absorbedPerPeriod.size(), 54U);
}

TEST(ProductionMix, AsksTheCacheOnlyForWhatIsOnTheList) {
  const Trace trace = smallMix();
  const Outcome none = runCacheLib(trace, {.eligible = blocksOfTopTables(trace, 0)});
  EXPECT_EQ(none.servedBytes, 0U);
  EXPECT_EQ(none.fetchedBytes, 0U);
  EXPECT_GT(none.readBytes, 0U);
}

TEST(Trace, ReadsOnlyTheFeaturesThatAJobWants) {
  Workload workload;
  workload.nodes = 1;
  workload.partitions = equalPartitions(1, 1e9);
  workload.flashBytes = 1e9;
  workload.featuresPerFile = 10;
  WorkloadJob job;
  job.name = "job";
  job.partitions = {0};
  job.features = {true, true, false, false, false, false, false, false, false, true};
  workload.jobs = {job};
  const Trace trace = generate(workload, {.scale = 1.0 / 64, .seed = 1, .skew = {}});
  std::map<std::string, double> bytesOf;
  for (const TraceEvent& event : trace.events) {
    bytesOf[trace.blocks[event.block].path] += event.length;
  }
  for (const control::ListedFile& file : trace.partitions[0].files) {
    EXPECT_NEAR(bytesOf[file.path] / static_cast<double>(file.size), 0.3, 0.001) << file.path;
  }
}

}  // namespace
}  // namespace shift::sim
