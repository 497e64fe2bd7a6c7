// Ten million segments, on a device that keeps them in little memory.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "blocks/Checksum.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

constexpr std::uint64_t kSegments = 10'000'000;
constexpr std::uint32_t kSegmentsPerBlock = 200;

SegmentKey keyOf(std::uint64_t number) {
  const std::uint64_t block = number / kSegmentsPerBlock;
  return {{block * 0x9e3779b97f4a7c15ULL, block}, static_cast<std::uint32_t>(number % kSegmentsPerBlock)};
}

/** One unit, all its words the same. */
SegmentRef segmentOf(std::uint64_t number) {
  const std::shared_ptr<std::byte> memory = allocateSegment(kUnitBytes);
  for (std::size_t at = 0; at < kUnitBytes; at += sizeof number) {
    std::memcpy(memory.get() + at, &number, sizeof number);
  }
  return {memory, kUnitBytes, checksumOf(keyOf(number), 0, {memory.get(), kUnitBytes})};
}

std::uint64_t numberIn(const SegmentRef& segment) {
  std::uint64_t number = 0;
  std::memcpy(&number, segment.data.get(), sizeof number);
  return number;
}

TEST(FlashScale, TenMillionSegmentsAreHeldFoundAndRecovered) {
  SystemClock clock;
  FlashEngineConfig config = test::smallConfig();
  config.meanSegmentBytes = kUnitBytes;
  // The journal for segments of one unit each takes three hundredths of the device.
  auto image = std::make_shared<test::PatternDevice::Image>(kSegments * kUnitBytes * 104 / 100 / kUnitBytes *
                                                            kUnitBytes);
  std::mt19937_64 random(1);
  {
    CounterRegistry counters;
    const auto engine =
        test::makeEngine(config, std::make_unique<test::PatternDevice>(image), clock, counters);
    for (std::uint64_t number = 0; number < kSegments; ++number) {
      ASSERT_EQ(engine->insert(keyOf(number), segmentOf(number), 0), InsertOutcome::kInserted) << number;
      if (number % 50'000 == 0) {
        ASSERT_TRUE(engine->writeJournal().ok());
      }
    }
    EXPECT_EQ(engine->status().segments, kSegments);
    EXPECT_LE(engine->indexBytes(), 40 * kSegments);
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t number = random() % kSegments;
      const SegmentRef found = test::lookUp(*engine, keyOf(number));
      ASSERT_TRUE(found && numberIn(found) == number);
    }
  }
  CounterRegistry counters;
  const auto engine = test::makeEngine(config, std::make_unique<test::PatternDevice>(image), clock, counters);
  EXPECT_EQ(engine->status().segments, kSegments);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t number = random() % kSegments;
    const SegmentRef found = test::lookUp(*engine, keyOf(number));
    ASSERT_TRUE(found && numberIn(found) == number);
  }
  // Ever more, so that the oldest have to go.
  for (std::uint64_t number = kSegments; number < kSegments + 500'000; ++number) {
    ASSERT_EQ(engine->insert(keyOf(number), segmentOf(number), 1), InsertOutcome::kInserted) << number;
    if (number % 50'000 == 0) {
      ASSERT_TRUE(engine->writeJournal().ok());
    }
  }
  EXPECT_GT(test::valueOf(counters, "engine_evictions_total"), 0);
  EXPECT_FALSE(test::isHeld(*engine, keyOf(0)));
  EXPECT_TRUE(test::isHeld(*engine, keyOf(kSegments - 1)));
}

}  // namespace
}  // namespace shift::node
