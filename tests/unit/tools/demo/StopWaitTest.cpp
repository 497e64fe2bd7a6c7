#include "tools/demo/StopWait.h"

#include <gtest/gtest.h>

namespace shift::demo {
namespace {

using namespace std::chrono_literals;

TEST(StopWait, WaitsUntilTheTimeHasCome) {
  ManualClock clock;
  const std::atomic<bool> stop{false};
  const TimePoint when = clock.now() + 1234ms;
  waitUnlessStopped(when, clock, ManualWaiter(clock), stop);
  EXPECT_EQ(clock.now(), when);
}

TEST(StopWait, DoesNotWaitForWhatIsPast) {
  ManualClock clock;
  clock.advance(10s);
  const TimePoint before = clock.now();
  waitUnlessStopped(before - 1s, clock, ManualWaiter(clock), std::atomic<bool>{false});
  EXPECT_EQ(clock.now(), before);
}

/** Somebody presses Ctrl-C while time passes. */
class InterruptedWaiter final : public Waiter {
 public:
  InterruptedWaiter(ManualClock& clock, std::atomic<bool>& stop) : inner_(clock), stop_(stop) {}
  void waitUntil(TimePoint when) const override {
    inner_.waitUntil(when);
    stop_ = true;
  }

 private:
  const ManualWaiter inner_;
  std::atomic<bool>& stop_;
};

TEST(StopWait, ReturnsSoonAfterItIsToldToStop) {
  ManualClock clock;
  std::atomic<bool> stop{false};
  const TimePoint begin = clock.now();
  waitUnlessStopped(TimePoint::max(), clock, InterruptedWaiter(clock, stop), stop);
  EXPECT_LE(clock.now() - begin, 100ms);
}

}  // namespace
}  // namespace shift::demo
