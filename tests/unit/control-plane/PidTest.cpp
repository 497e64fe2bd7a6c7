#include "control-plane/Pid.h"

#include <gtest/gtest.h>

namespace shift::control {
namespace {

TEST(Pid, IntegratesTheErrorOverTime) {
  Pid pid({.integral = 0.5, .min = 0, .max = 100});
  EXPECT_DOUBLE_EQ(pid.step(2, 3), 3);
  EXPECT_DOUBLE_EQ(pid.step(2, 1), 4);
  EXPECT_DOUBLE_EQ(pid.step(-2, 1), 3);
}

TEST(Pid, AddsProportionalAndDerivativeParts) {
  Pid pid({.proportional = 2, .derivative = 10, .min = -100, .max = 100});
  EXPECT_DOUBLE_EQ(pid.step(1, 1), 2);           // no slope is known yet
  EXPECT_DOUBLE_EQ(pid.step(3, 2), 6 + 10 * 1);  // rises by 1 per second
}

TEST(Pid, DoesNotWindUpBelowItsMinimum) {
  Pid pid({.integral = 1, .min = 0, .max = 10});
  for (int i = 0; i < 1000; ++i) {
    pid.step(-5, 1);
  }
  EXPECT_DOUBLE_EQ(pid.step(2, 1), 2);
}

TEST(Pid, DoesNotWindUpAboveItsMaximum) {
  Pid pid({.integral = 1, .min = 0, .max = 10});
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LE(pid.step(5, 1), 10);
  }
  EXPECT_DOUBLE_EQ(pid.step(-1, 1), 9);
}

TEST(Pid, StartsWhereItIsTold) {
  const Pid pid({.min = 0, .max = 10, .start = 4});
  EXPECT_DOUBLE_EQ(pid.output(), 4);
}

TEST(Pid, TellsWhatItsOutputIsAddedUpFrom) {
  Pid pid({.proportional = 2, .integral = 0.5, .derivative = 10, .min = 0, .max = 12});
  pid.step(1, 1);
  EXPECT_DOUBLE_EQ(pid.step(3, 2), 12) << "clamped";
  EXPECT_DOUBLE_EQ(pid.terms().proportional, 6);
  EXPECT_DOUBLE_EQ(pid.terms().integral, 0.5 + 3);
  EXPECT_DOUBLE_EQ(pid.terms().derivative, 10);
}

}  // namespace
}  // namespace shift::control
