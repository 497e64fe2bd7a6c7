#include "control-plane/WindowedDistinct.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "control-plane/Hash.h"

namespace shift::control {
namespace {

TEST(WindowedDistinct, IsExactWhileSmall) {
  WindowedDistinct counter;
  for (std::uint64_t i = 0; i < 300; ++i) {
    counter.add(spreadBits(i % 100), static_cast<unsigned>(i % 2));
  }
  EXPECT_EQ(counter.estimate(), 100);
}

TEST(WindowedDistinct, ForgetsWhatWasSeenOnlyInAClearedSlot) {
  WindowedDistinct counter;
  for (std::uint64_t i = 0; i < 50; ++i) {
    counter.add(spreadBits(i), 0);
  }
  for (std::uint64_t i = 40; i < 70; ++i) {
    counter.add(spreadBits(i), 1);
  }
  counter.clearSlot(0);
  EXPECT_EQ(counter.estimate(), 30);
}

TEST(WindowedDistinct, ForgetsByRegistersToo) {
  WindowedDistinct counter;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    counter.add(spreadBits(i), 0);
  }
  for (std::uint64_t i = 90000; i < 110000; ++i) {
    counter.add(spreadBits(i), 1);
  }
  EXPECT_NEAR(counter.estimate(), 110000, 110000 * 0.06);
  counter.clearSlot(0);
  EXPECT_NEAR(counter.estimate(), 20000, 20000 * 0.06);
  counter.clearSlot(1);
  EXPECT_EQ(counter.estimate(), 0);
  counter.add(spreadBits(1), 2);
  EXPECT_EQ(counter.estimate(), 1);
}

TEST(WindowedDistinct, HasAStandardErrorOfAtMostTwoPercent) {
  for (const std::uint64_t count : {500, 3000, 7000, 20000, 200000}) {
    double squares = 0;
    constexpr int kTrials = 60;
    for (int trial = 0; trial < kTrials; ++trial) {
      WindowedDistinct counter;
      std::mt19937_64 random(static_cast<std::uint64_t>(trial) * 1000003 + count);
      const std::uint64_t base = random();
      for (std::uint64_t i = 0; i < count; ++i) {
        counter.add(spreadBits(base + i), static_cast<unsigned>(i % WindowedDistinct::kMaxSlots));
      }
      const double error = counter.estimate() / static_cast<double>(count) - 1;
      squares += error * error;
    }
    // The mean of 60 squared errors scatters by 18 %, so its root by 9 %: allow three times that.
    EXPECT_LE(std::sqrt(squares / kTrials), 0.02 * 1.27) << count;
  }
}

TEST(WindowedDistinct, StaysWithinItsMemory) {
  WindowedDistinct counter;
  for (std::uint64_t i = 0; i < 1000000; ++i) {
    counter.add(spreadBits(i), static_cast<unsigned>(i % WindowedDistinct::kMaxSlots));
    if (i % 37 == 0) {
      ASSERT_LE(counter.memoryBytes(), 20 * 1024U);
    }
  }
}

}  // namespace
}  // namespace shift::control
