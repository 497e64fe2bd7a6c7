#include "control-plane/ReadProgress.h"

#include <gtest/gtest.h>

#include <random>

namespace shift::control {
namespace {

constexpr double kBlock = 100;

class ReadProgressTest : public ::testing::Test {
 protected:
  ReadProgressTest() { progress_.resize(1000); }
  bool read(std::uint32_t rank) { return progress_.add(rank, rank * kBlock, now_); }

  ReadProgress progress_;
  double now_ = 5;
};

TEST_F(ReadProgressTest, KnowsWhatWasRead) {
  EXPECT_TRUE(read(3));
  EXPECT_FALSE(read(3));
  EXPECT_TRUE(progress_.contains(3));
  EXPECT_FALSE(progress_.contains(4));
  EXPECT_EQ(progress_.count(), 1U);
}

TEST_F(ReadProgressTest, FollowsEachReaderOnItsSplit) {
  for (std::uint32_t i = 0; i < 50; ++i) {
    now_ += 1;
    read(i);
    read(500 + 2 * i);
  }
  progress_.measure(now_);
  ASSERT_EQ(progress_.streams().size(), 2U);
  EXPECT_NEAR(progress_.streams()[0].rate, kBlock, 1e-6);
  EXPECT_NEAR(progress_.streams()[1].rate, 2 * kBlock, 1e-6);
  EXPECT_EQ(progress_.streams()[1].firstRank, 500U);
  EXPECT_EQ(progress_.streams()[1].lastRank, 598U);
  EXPECT_FALSE(progress_.isDisordered());
}

TEST_F(ReadProgressTest, TakesBlocksALittleOutOfOrderAsOneStream) {
  for (std::uint32_t i = 0; i < 100; i += 4) {
    now_ += 1;
    for (const std::uint32_t rank : {i + 2, i, i + 3, i + 1}) {
      EXPECT_TRUE(read(rank));
    }
  }
  EXPECT_LE(progress_.streams().size(), 2U);
  EXPECT_FALSE(progress_.isDisordered());
}

TEST_F(ReadProgressTest, NoticesAShuffle) {
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    now_ += 1;
    read(static_cast<std::uint32_t>(random() % 1000));
  }
  EXPECT_TRUE(progress_.isDisordered());
}

TEST_F(ReadProgressTest, TakesASecondPassForWhatItIs) {
  for (std::uint32_t i = 0; i < 200; ++i) {
    now_ += 1;
    read(i);
  }
  EXPECT_FALSE(read(50));  // a single block may be chance
  EXPECT_TRUE(read(51));   // its neighbour is not
  EXPECT_TRUE(progress_.contains(51));
  EXPECT_FALSE(progress_.contains(52));
  EXPECT_FALSE(progress_.contains(199));
  EXPECT_TRUE(progress_.contains(20));
  EXPECT_TRUE(read(52));
}

TEST_F(ReadProgressTest, TakesManyRequestsForOneBlockForOneRead) {
  EXPECT_TRUE(read(7));
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(read(7));
  }
  EXPECT_EQ(progress_.streams().size(), 1U);
  EXPECT_EQ(progress_.count(), 1U);
}

TEST_F(ReadProgressTest, BoundsItsStreams) {
  for (std::uint32_t i = 0; i < 1000; i += ReadProgress::kNear + 1) {
    read(999 - i);
  }
  progress_.resize(100000);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    read(1000 + i * 40);
  }
  EXPECT_LE(progress_.streams().size(), ReadProgress::kMaxStreams);
}

}  // namespace
}  // namespace shift::control
