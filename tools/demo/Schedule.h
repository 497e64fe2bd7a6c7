#pragma once

#include <cstdint>
#include <string>

#include "common/Clock.h"

namespace shift::demo {

/** How far the tour is, for the line behind the bar. Pure. */
class Schedule {
 public:
  /** `expectedAct` is how long an act is thought to take before one has been seen. */
  Schedule(std::uint32_t acts, Duration expectedAct) : acts_(acts), expectedAct_(expectedAct) {}

  /** The next act begins. */
  void beginAct() { ++act_; }
  /** It has ended: the next are expected to take as long. */
  void endAct(Duration took) { expectedAct_ = took; }

  /** What is left of this act and of those to come, when `share` of this one is done after `elapsed`. */
  Duration remaining(double share, Duration elapsed) const;

  /** "act 2 of 5, 512.0 MiB of 2.1 GiB, 98.0 MiB/s, about 75 s to go". */
  std::string line(std::uint64_t done, std::uint64_t total, Duration elapsed) const;

 private:
  const std::uint32_t acts_;
  std::uint32_t act_ = 0;
  Duration expectedAct_;
};

}  // namespace shift::demo
