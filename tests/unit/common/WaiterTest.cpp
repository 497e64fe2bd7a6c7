#include "common/Waiter.h"

#include <gtest/gtest.h>

namespace shift {
namespace {

using namespace std::chrono_literals;

TEST(Waiter, TheSystemsReturnsNoSoonerThanAsked) {
  const SystemClock clock;
  const TimePoint when = clock.now() + 2ms;
  SystemWaiter().waitUntil(when);
  EXPECT_GE(clock.now(), when);
}

TEST(Waiter, WhatIsPastIsNotWaitedFor) {
  SystemWaiter().waitUntil(TimePoint::min());
  ManualClock clock;
  clock.advance(5s);
  ManualWaiter(clock).waitUntil(TimePoint(2s));
  EXPECT_EQ(clock.now(), TimePoint(5s));
}

TEST(Waiter, TheManualOneMovesItsClock) {
  ManualClock clock;
  ManualWaiter(clock).waitUntil(TimePoint(7s));
  EXPECT_EQ(clock.now(), TimePoint(7s));
}

}  // namespace
}  // namespace shift
