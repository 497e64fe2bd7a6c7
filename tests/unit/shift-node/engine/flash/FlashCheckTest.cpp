// Who verifies what comes from flash, and what becomes of bytes that nobody has verified.

#include <gtest/gtest.h>

#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

constexpr std::uint32_t kCheckedSegment = 64 * kKiB;
constexpr std::uint32_t kCheckedUnits = 4 * kCheckedSegment / kUnitBytes;

class FlashCheckTest : public testing::Test {
 protected:
  static SegmentKey key(std::uint64_t block) { return {{block, block}, 0}; }

  void start() {
    engine_.reset();
    engine_ = test::makeEngine(config_, std::make_unique<test::FakeDevice>(image_), clock_, counters_);
  }
  void insert(std::uint64_t block) {
    EXPECT_EQ(engine_->insert(key(block), test::makeSegment(key(block), kCheckedSegment), 0),
              InsertOutcome::kInserted);
  }
  bool get(std::uint64_t block) {
    const SegmentRef found = test::lookUp(*engine_, key(block));
    EXPECT_TRUE(!found || test::isSegment(found, key(block)));
    return static_cast<bool>(found);
  }
  bool has(std::uint64_t block) { return test::isHeld(*engine_, key(block)); }
  std::int64_t count(std::string_view name) { return test::valueOf(counters_, name); }

  void damageData() { test::spoilData(*image_, kCheckedUnits); }

  ManualClock clock_;
  CounterRegistry counters_;
  FlashEngineConfig config_ = test::smallConfig();
  std::shared_ptr<test::DeviceImage> image_ =
      std::make_shared<test::DeviceImage>(test::deviceBytesFor(kCheckedUnits));
  std::unique_ptr<FlashEngine> engine_;
};

TEST_F(FlashCheckTest, WhoeverVerifiesForItselfGetsTheBytesAsTheDeviceHasThem) {
  start();
  insert(1);
  damageData();
  const SegmentRef found = test::lookUp(*engine_, key(1), Check::kLeftToCaller);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found.isVerified);
  EXPECT_FALSE(test::isSegment(found, key(1)));
  EXPECT_EQ(found.checksum, test::makeSegment(key(1), kCheckedSegment).checksum) << "of what they should be";
  EXPECT_EQ(count("engine_checksum_failures_total"), 0);
  EXPECT_FALSE(test::lookUp(*engine_, key(1), Check::kAnew));
  EXPECT_EQ(count("engine_checksum_failures_total"), 1);
  EXPECT_FALSE(has(1));
}

TEST_F(FlashCheckTest, WhatNobodyHasVerifiedIsVerifiedInMemoryForTheNext) {
  config_.dramBytes = 2 * kCheckedSegment;
  start();
  insert(1);
  insert(2);
  start();  // memory is empty again
  EXPECT_FALSE(test::lookUp(*engine_, key(1), Check::kLeftToCaller).isVerified);
  EXPECT_FALSE(test::lookUp(*engine_, key(1), Check::kLeftToCaller).isVerified) << "now from memory";
  EXPECT_TRUE(test::lookUp(*engine_, key(1), Check::kOnce).isVerified);
  EXPECT_TRUE(test::lookUp(*engine_, key(1), Check::kLeftToCaller).isVerified) << "and is from then on";
  EXPECT_EQ(count("engine_flash_hits_total"), 1);

  damageData();
  EXPECT_FALSE(test::lookUp(*engine_, key(2), Check::kLeftToCaller).isVerified);
  EXPECT_FALSE(get(2)) << "what is damaged does not become good by being in memory";
  EXPECT_EQ(count("engine_checksum_failures_total"), 1);
  EXPECT_FALSE(has(2));
  EXPECT_TRUE(get(1)) << "from memory: it was read before";
}

}  // namespace
}  // namespace shift::node
