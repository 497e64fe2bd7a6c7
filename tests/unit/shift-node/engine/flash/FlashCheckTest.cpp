// Who verifies what comes from flash, and what becomes of bytes that nobody has verified.

#include <gtest/gtest.h>

#include "tests/support/engine/FlashEngineFixture.h"

namespace shift::node {
namespace {

class FlashCheckTest : public test::FlashEngineFixture {};

TEST_F(FlashCheckTest, WhoeverVerifiesForItselfGetsTheBytesAsTheDeviceHasThem) {
  start();
  EXPECT_EQ(insert(1), InsertOutcome::kInserted);
  damageData();
  const SegmentRef found = test::lookUp(*engine_, key(1), Check::kLeftToCaller);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found.isVerified);
  EXPECT_FALSE(test::isSegment(found, key(1)));
  EXPECT_EQ(found.checksum, test::makeSegment(key(1), kSegment).checksum) << "of what they should be";
  EXPECT_EQ(count("engine_checksum_failures_total"), 0);
  EXPECT_FALSE(test::lookUp(*engine_, key(1), Check::kAnew));
  EXPECT_EQ(count("engine_checksum_failures_total"), 1);
  EXPECT_FALSE(has(1));
}

TEST_F(FlashCheckTest, WhatNobodyHasVerifiedIsVerifiedInMemoryForTheNext) {
  config_.dramBytes = 2 * kSegment;
  start();
  EXPECT_EQ(insert(1), InsertOutcome::kInserted);
  EXPECT_EQ(insert(2), InsertOutcome::kInserted);
  restart();  // memory is empty again
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
