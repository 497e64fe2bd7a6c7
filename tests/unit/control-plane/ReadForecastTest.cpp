#include "control-plane/ReadForecast.h"

#include <gtest/gtest.h>

namespace shift::control {
namespace {

constexpr double kBlock = 100;
constexpr std::uint32_t kBlocks = 1000;
constexpr double kTotal = kBlock * kBlocks;

class ReadForecastTest : public ::testing::Test {
 protected:
  ReadForecastTest() { progress_.resize(kBlocks); }
  void read(std::uint32_t rank, double time) { progress_.add(rank, rank * kBlock, time); }
  ForecastInput input(double now) {
    return {.progress = progress_,
            .totalBytes = kTotal,
            .blockSpacing = kBlock,
            .layout = {},
            .startTimes = {},
            .rate = kBlock,
            .now = now};
  }

  ReadProgress progress_;
};

TEST_F(ReadForecastTest, GoesOnAtTheMeasuredRate) {
  for (std::uint32_t i = 0; i <= 20; ++i) {
    read(i, 100 + i * 0.5);
  }
  progress_.measure(110);
  const ReadForecast result = forecast(input(110));
  EXPECT_NEAR(result.at(30 * kBlock), 115, 0.1);
  EXPECT_NEAR(result.at(920 * kBlock), 560, 1);
}

TEST_F(ReadForecastTest, SendsEachReaderAlongItsOwnSplit) {
  for (std::uint32_t i = 0; i <= 20; ++i) {
    read(i, 100 + i);
    read(500 + 2 * i, 100 + i);
  }
  progress_.measure(120);
  const ReadForecast result = forecast(input(120));
  EXPECT_NEAR(result.at(400 * kBlock), 100 + 400, 1);
  EXPECT_NEAR(result.at(700 * kBlock), 100 + 100, 1);
}

TEST_F(ReadForecastTest, ExpectsSplitsThatHaveNotBegun) {
  ForecastInput planned = input(50);
  planned.layout = {0, 0.5};
  planned.startTimes = {60, 80};
  const ReadForecast result = forecast(planned);
  EXPECT_NEAR(result.at(10 * kBlock), 70, 1e-6);
  EXPECT_NEAR(result.at(510 * kBlock), 90, 1e-6);
}

TEST_F(ReadForecastTest, DoesNotExpectWhatWasSkipped) {
  for (std::uint32_t i = 0; i <= 300; i += 3) {
    read(i, 100 + i);
  }
  progress_.measure(400);
  const ReadForecast result = forecast(input(400));
  EXPECT_EQ(result.at(100 * kBlock), kNever);
  EXPECT_NE(result.at(310 * kBlock), kNever);
}

TEST_F(ReadForecastTest, SpreadsReadsInNoKnownOrder) {
  for (std::uint32_t i = 0; i < 100; ++i) {
    read(i, 100 + i);
  }
  progress_.measure(200);
  ForecastInput unknown = input(200);
  unknown.ordered = false;
  const ReadForecast result = forecast(unknown);
  EXPECT_TRUE(result.isSpread());
  EXPECT_NEAR(result.at(0), 200 + 900 / 2.0, 20);
}

TEST_F(ReadForecastTest, ExpectsASilentReaderToStaySilentAsLongAgain) {
  for (std::uint32_t i = 0; i <= 20; ++i) {
    read(i, 100 + i);
  }
  progress_.measure(120);
  const ReadForecast result = forecast(input(420));
  EXPECT_NEAR(result.at(30 * kBlock), 420 + 300 + 10, 1);
}

TEST_F(ReadForecastTest, StaysTheSameWhileThePaceIsKept) {
  for (std::uint32_t i = 0; i <= 20; ++i) {
    read(i, 100 + i);
  }
  progress_.measure(120);
  const ReadForecast before = forecast(input(120));
  for (std::uint32_t i = 21; i <= 40; ++i) {
    read(i, 100 + i);
  }
  progress_.measure(140);
  EXPECT_FALSE(forecast(input(140)).differsFrom(before, 140));
  for (std::uint32_t i = 41; i <= 100; ++i) {
    read(i, 140 + (i - 40) * 0.5);
  }
  progress_.measure(170);
  EXPECT_TRUE(forecast(input(170)).differsFrom(before, 170));
}

TEST_F(ReadForecastTest, LearnsTheLayoutFromTheStreams) {
  for (std::uint32_t i = 0; i < 40; ++i) {
    read(i, 100 + i);
    read(250 + i, 100 + i);
    read(750 + i, 100 + i);
  }
  read(600, 139);  // one stray block is not a reader
  const SplitLayout layout = layoutOf(progress_, kTotal, {});
  ASSERT_EQ(layout.size(), 3U);
  EXPECT_DOUBLE_EQ(layout[0], 0);
  EXPECT_DOUBLE_EQ(layout[1], 0.25);
  EXPECT_DOUBLE_EQ(layout[2], 0.75);
}

}  // namespace
}  // namespace shift::control
