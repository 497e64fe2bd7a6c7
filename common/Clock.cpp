#include "common/Clock.h"

#include <algorithm>

namespace shift {

TimePoint SystemClock::now() const {
  return std::chrono::steady_clock::now();
}

WallTime SystemClock::wallNow() const {
  return std::chrono::system_clock::now();
}

TimePoint ManualClock::now() const {
  std::lock_guard lock(mutex_);
  return TimePoint(sinceStart_);
}

WallTime ManualClock::wallNow() const {
  std::lock_guard lock(mutex_);
  return WallTime(sinceStart_);
}

void ManualClock::advance(Duration by) {
  std::lock_guard lock(mutex_);
  sinceStart_ += by;
}

void ManualClock::advanceTo(TimePoint when) {
  std::lock_guard lock(mutex_);
  sinceStart_ = std::max(sinceStart_, when.time_since_epoch());
}

}  // namespace shift
