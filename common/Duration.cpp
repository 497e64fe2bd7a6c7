#include "common/Duration.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "common/NumberWithUnit.h"

namespace shift {
namespace {

struct TimeUnit {
  std::string_view name;
  double nanoseconds;
};

constexpr std::array kTimeUnits{TimeUnit{"d", 86400e9}, TimeUnit{"h", 3600e9}, TimeUnit{"min", 60e9},
                                TimeUnit{"s", 1e9},     TimeUnit{"ms", 1e6},   TimeUnit{"us", 1e3},
                                TimeUnit{"ns", 1}};

}  // namespace

Result<Duration> parseDuration(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not a duration: {}", text, why)};
  };
  const auto parts = splitNumberAndUnit(text);
  if (!parts) {
    return refuse("write a number and a unit, such as 250ms or 10s");
  }
  if (parts->unit.empty() && parts->number == 0) {
    return Duration(0);
  }
  for (const TimeUnit& unit : kTimeUnits) {
    if (parts->unit != unit.name) {
      continue;
    }
    const double nanoseconds = parts->number * unit.nanoseconds;
    if (nanoseconds >= 0x1p62) {
      return refuse("it is longer than 146 years");
    }
    return Duration(static_cast<Duration::rep>(std::llround(nanoseconds)));
  }
  return refuse(fmt::format("unknown unit \"{}\"; use ns, us, ms, s, min, h or d", parts->unit));
}

std::string formatDuration(Duration duration) {
  for (const TimeUnit& unit : kTimeUnits) {
    const auto size = static_cast<Duration::rep>(unit.nanoseconds);
    if (duration.count() != 0 && duration.count() % size == 0) {
      return fmt::format("{}{}", duration.count() / size, unit.name);
    }
  }
  return "0s";
}

}  // namespace shift
