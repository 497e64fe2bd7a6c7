#pragma once

#include <chrono>
#include <mutex>

namespace shift {

using Duration = std::chrono::nanoseconds;
/** Monotonic: for intervals, deadlines and everything the control plane reckons with. */
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;
/** Wall time: only for what people read and databases keep. */
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

/** Where time comes from. Handed in by reference, so that tests and the simulator own time. Thread-safe. */
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
  virtual WallTime wallNow() const = 0;
};

/** The machine's clocks. The only class that reads them. */
class SystemClock final : public Clock {
 public:
  TimePoint now() const override;
  WallTime wallNow() const override;
};

/** Stands still until told to move. */
class ManualClock final : public Clock {
 public:
  TimePoint now() const override;
  WallTime wallNow() const override;
  void advance(Duration by);
  /** Stays where it is if it is there already. */
  void advanceTo(TimePoint when);

 private:
  mutable std::mutex mutex_;
  Duration sinceStart_{0};
};

}  // namespace shift
