#include "tools/demo/StopWait.h"

#include <algorithm>

namespace shift::demo {
namespace {

/** A signal handler can wake nobody, so the flag is looked at this often. */
constexpr Duration kLookEvery = std::chrono::milliseconds(50);

}  // namespace

void waitUnlessStopped(TimePoint when, const Clock& clock, const Waiter& waiter,
                       const std::atomic<bool>& stop) {
  for (TimePoint now = clock.now(); now < when && !stop; now = clock.now()) {
    waiter.waitUntil(std::min(when, now + kLookEvery));
  }
}

}  // namespace shift::demo
