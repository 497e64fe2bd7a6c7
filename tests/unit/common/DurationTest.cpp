#include "common/Duration.h"

#include <gtest/gtest.h>

namespace shift {
namespace {

using namespace std::chrono_literals;

TEST(DurationText, ReadsEachUnit) {
  EXPECT_EQ(*parseDuration("250ms"), 250ms);
  EXPECT_EQ(*parseDuration("10s"), 10s);
  EXPECT_EQ(*parseDuration("1.5 h"), 90min);
  EXPECT_EQ(*parseDuration("2d"), 48h);
  EXPECT_EQ(*parseDuration("0"), 0s);
}

TEST(DurationText, RefusesABareNumberBecauseItsUnitIsAGuess) {
  ASSERT_FALSE(parseDuration("10"));
  EXPECT_NE(parseDuration("10").error().message.find("unknown unit"), std::string::npos);
  EXPECT_FALSE(parseDuration("-1s"));
  EXPECT_FALSE(parseDuration("soon"));
  EXPECT_FALSE(parseDuration("1e9d"));
}

TEST(DurationText, FormParsesBackToTheSameDuration) {
  for (const Duration duration :
       {Duration(0s), Duration(1ns), Duration(1500ms), Duration(90s), Duration(6h)}) {
    EXPECT_EQ(*parseDuration(formatDuration(duration)), duration);
  }
  EXPECT_EQ(formatDuration(6h), "6h");
}

}  // namespace
}  // namespace shift
