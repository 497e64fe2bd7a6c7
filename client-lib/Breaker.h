#pragma once

#include <cstdint>

#include "common/Clock.h"

namespace shift::client {

struct BreakerConfig {
  std::uint32_t failures = 3;
  Duration pause = std::chrono::seconds(1);
  Duration maxPause = std::chrono::seconds(30);
};

/**
 * Leaves a node alone that keeps failing. After `failures` in a row it refuses for `pause`; then it lets one
 * try through, and another pause, twice as long, follows if that fails too. One success and all is forgotten.
 * Pure: time is an argument. Not thread-safe.
 */
class Breaker {
 public:
  explicit Breaker(const BreakerConfig& config) : config_(config), nextPause_(config.pause) {}

  /** Whether to try now. A yes after a pause counts as the one try: it must be followed by its outcome. */
  bool allows(TimePoint now);
  void succeeded();
  void failed(TimePoint now);

 private:
  const BreakerConfig config_;
  std::uint32_t failuresInARow_ = 0;
  Duration nextPause_;
  TimePoint pausedUntil_{};
  bool paused_ = false;
  bool trying_ = false;
};

}  // namespace shift::client
