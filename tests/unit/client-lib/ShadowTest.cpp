#include "client-lib/Shadow.h"

#include <gtest/gtest.h>

#include "tests/support/MemoryStore.h"

namespace shift::client {
namespace {

class ShadowTest : public testing::Test {
 protected:
  ShadowTest() { store_.put("f", "0123456789", "v1"); }

  void offer(const std::string& bytes, std::uint64_t offset, const std::string& version = "v1") {
    const FileIdentity file{.store = "s", .path = "f", .version = version, .size = 10, .blockSize = 100};
    shadow_.offer(file, offset, std::as_bytes(std::span(bytes)));
    shadow_.wait();
  }

  test::MemoryStore store_{"s"};
  Shadow shadow_{store_};
};

TEST_F(ShadowTest, ComparesNothingUntilItIsTurnedOn) {
  offer("wrong", 0);
  EXPECT_EQ(shadow_.findings().reads, 0u);
  EXPECT_EQ(store_.reads(), 0u);
}

TEST_F(ShadowTest, FindsWhatIsNotInTheBackingStore) {
  shadow_.setSample(1);
  offer("2345", 2);
  EXPECT_EQ(shadow_.findings().reads, 1u);
  EXPECT_EQ(shadow_.findings().bytes, 4u);
  EXPECT_EQ(shadow_.findings().mismatches, 0u);
  offer("23x5", 2);
  EXPECT_EQ(shadow_.findings().mismatches, 1u);
  EXPECT_EQ(shadow_.findings().lastMismatch, "f at 2");
}

TEST_F(ShadowTest, WhatHasChangedSinceProvesNothing) {
  shadow_.setSample(1);
  offer("old bytes", 0, "v0");
  EXPECT_EQ(shadow_.findings().reads, 0u);
  store_.beforeRead([this] { store_.put("f", "abcdefghij", "v2"); });
  offer("0123", 0);
  EXPECT_EQ(shadow_.findings().reads, 0u) << "it was replaced while it was compared";
}

TEST_F(ShadowTest, ABackingStoreThatFailsProvesNothing) {
  shadow_.setSample(1);
  store_.failReads(true);
  offer("0123", 0);
  EXPECT_EQ(shadow_.findings().reads, 0u);
}

TEST_F(ShadowTest, TakesAboutTheShareThatWasAskedFor) {
  shadow_.setSample(0.1);
  for (int i = 0; i < 1000; ++i) {
    offer("0", 0);
  }
  EXPECT_NEAR(static_cast<double>(shadow_.findings().reads), 100, 40);
}

TEST_F(ShadowTest, TellsWhatIsNewOnce) {
  shadow_.setSample(1);
  offer("x", 0);
  EXPECT_EQ(shadow_.take().mismatches, 1u);
  EXPECT_EQ(shadow_.take().mismatches, 0u);
  EXPECT_EQ(shadow_.findings().mismatches, 1u);
}

}  // namespace
}  // namespace shift::client
