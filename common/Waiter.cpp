#include "common/Waiter.h"

#include <thread>

namespace shift {

void SystemWaiter::waitUntil(TimePoint when) const {
  std::this_thread::sleep_until(when);
}

void ManualWaiter::waitUntil(TimePoint when) const {
  clock_.advanceTo(when);
}

}  // namespace shift
