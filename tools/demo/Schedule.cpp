#include "tools/demo/Schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/ByteSize.h"

namespace shift::demo {
namespace {

/** Before this much of an act is done, its own pace says little. */
constexpr double kPaceIsKnown = 0.1;

double secondsOf(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Duration Schedule::remaining(double share, Duration elapsed) const {
  const double expected = secondsOf(expectedAct_);
  const double whole = share < kPaceIsKnown ? expected : secondsOf(elapsed) / share;
  const double seconds = std::max(0.0, whole - secondsOf(elapsed)) + expected * (acts_ - act_);
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

std::string Schedule::line(std::uint64_t done, std::uint64_t total, Duration elapsed) const {
  const double share = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
  const double rate = secondsOf(elapsed) > 0 ? static_cast<double>(done) / secondsOf(elapsed) : 0;
  return fmt::format("act {} of {}, {} of {}, {}/s, about {:.0f} s to go", act_, acts_,
                     formatByteSize(static_cast<double>(done)), formatByteSize(static_cast<double>(total)),
                     formatByteSize(rate), secondsOf(remaining(share, elapsed)));
}

}  // namespace shift::demo
