#pragma once

#include <atomic>

#include "common/Clock.h"
#include "common/Waiter.h"

namespace shift::demo {

/** Waits until the clock shows `when`, or until soon after `stop` is set, which may be by a signal handler.
 */
void waitUnlessStopped(TimePoint when, const Clock& clock, const Waiter& waiter,
                       const std::atomic<bool>& stop);

}  // namespace shift::demo
