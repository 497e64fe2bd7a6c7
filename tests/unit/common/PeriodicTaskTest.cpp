#include "common/PeriodicTask.h"

#include <gtest/gtest.h>

#include <chrono>
#include <latch>

namespace shift {
namespace {

using namespace std::chrono_literals;

TEST(PeriodicTask, CallsAgainAndAgain) {
  std::latch threeCalls(3);
  int calls = 0;
  PeriodicTask task(1ms, [&] {
    if (++calls <= 3) {
      threeCalls.count_down();
    }
  });
  threeCalls.wait();
}

TEST(PeriodicTask, StopsWithoutWaitingForTheInterval) {
  bool called = false;
  {
    PeriodicTask task(24h, [&] { called = true; });
  }
  EXPECT_FALSE(called);
}

TEST(PeriodicTask, DestructorWaitsForACallUnderWay) {
  std::latch entered(1);
  bool finished = false;
  {
    PeriodicTask task(1ms, [&] {
      if (!finished) {
        entered.count_down();
        std::this_thread::yield();
        finished = true;
      }
    });
    entered.wait();
  }
  EXPECT_TRUE(finished);
}

}  // namespace
}  // namespace shift
