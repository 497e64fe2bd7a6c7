#pragma once

#include "common/Clock.h"

namespace shift {

/** How a thread waits for a moment. Handed in by reference beside a Clock, so that tests need not wait.
 * Thread-safe. */
class Waiter {
 public:
  virtual ~Waiter() = default;
  /** Returns when the clock it belongs to shows `when` or later; at once if it already does. */
  virtual void waitUntil(TimePoint when) const = 0;
};

/** Lets the calling thread sleep, by the clock that SystemClock reads. */
class SystemWaiter final : public Waiter {
 public:
  void waitUntil(TimePoint when) const override;
};

/** Moves a ManualClock forward instead of waiting. */
class ManualWaiter final : public Waiter {
 public:
  /** The clock must outlive the waiter. */
  explicit ManualWaiter(ManualClock& clock) : clock_(clock) {}
  void waitUntil(TimePoint when) const override;

 private:
  ManualClock& clock_;
};

}  // namespace shift
