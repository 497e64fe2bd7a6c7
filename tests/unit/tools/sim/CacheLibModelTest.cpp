#include "tools/sim/CacheLibModel.h"

#include <gtest/gtest.h>

#include "blocks/Geometry.h"

namespace shift::sim {
namespace {

constexpr std::uint32_t kSegment = kDefaultSegmentSize;

/** One segment per block; a region holds one segment. */
Trace traceOf(const std::vector<std::uint32_t>& accesses, std::uint64_t dram, std::uint64_t flash) {
  Trace trace;
  trace.blockSize = kSegment;
  trace.segmentSize = kSegment;
  trace.dramBytes = dram * kSegment;
  trace.flashBytes = flash * kSegment;
  trace.scale = 1.0 / 64;
  trace.blocks.resize(100);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    trace.events.push_back({static_cast<double>(i), accesses[i], 0, 0, kSegment});
  }
  return trace;
}

TEST(CacheLibModel, FetchesEveryMissIntoDramAndSpillsToFlash) {
  const Outcome outcome = runCacheLib(traceOf({1, 2, 3, 1}, 1, 4), {});
  EXPECT_EQ(outcome.hits, 1U);
  EXPECT_EQ(outcome.fetchedBytes, 3U * kSegment);
  EXPECT_EQ(outcome.writtenBytes, 3U * kSegment);
}

TEST(CacheLibModel, DiffersInWhatItGivesUp) {
  // 1 is used again before flash runs full: that saves it under LRU, not under FIFO.
  const std::vector<std::uint32_t> accesses = {1, 2, 3, 4, 1, 5, 6, 1};
  EXPECT_EQ(runCacheLib(traceOf(accesses, 1, 4), {.order = FlashOrder::kLru}).hits, 2U);
  EXPECT_EQ(runCacheLib(traceOf(accesses, 1, 4), {.order = FlashOrder::kFifo}).hits, 1U);
}

TEST(CacheLibModel, RejectFirstWritesOnlyWhatComesAgain) {
  const CacheLibConfig config{.admission = FlashAdmission::kRejectFirst};
  EXPECT_EQ(runCacheLib(traceOf({1, 2, 3, 4}, 1, 10), config).writtenBytes, 0U);
  EXPECT_EQ(runCacheLib(traceOf({1, 2, 1, 2, 1}, 1, 10), config).hits, 1U);
}

TEST(CacheLibModel, DynamicKeepsNearItsRate) {
  std::vector<std::uint32_t> accesses;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    accesses.push_back(i % 100);
  }
  const CacheLibConfig config{.admission = FlashAdmission::kDynamic, .bytesPerSecond = 0.2 * kSegment};
  const Outcome outcome = runCacheLib(traceOf(accesses, 1, 10), config);
  EXPECT_NEAR(static_cast<double>(outcome.writtenBytes) / 20000, 0.2 * kSegment, 0.03 * kSegment);
}

}  // namespace
}  // namespace shift::sim
