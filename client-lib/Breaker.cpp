#include "client-lib/Breaker.h"

#include <algorithm>

namespace shift::client {

bool Breaker::allows(TimePoint now) {
  if (!paused_) {
    return true;
  }
  if (now < pausedUntil_ || trying_) {
    return false;
  }
  trying_ = true;
  return true;
}

void Breaker::succeeded() {
  failuresInARow_ = 0;
  nextPause_ = config_.pause;
  paused_ = false;
  trying_ = false;
}

void Breaker::failed(TimePoint now) {
  ++failuresInARow_;
  // Calls that were under way when the pause began fail one after the other; they must not lengthen it.
  if (paused_ && !trying_) {
    return;
  }
  if (trying_ || failuresInARow_ >= config_.failures) {
    paused_ = true;
    trying_ = false;
    pausedUntil_ = now + nextPause_;
    nextPause_ = std::min(nextPause_ * 2, config_.maxPause);
  }
}

}  // namespace shift::client
