#include "tools/ctl/Format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shift::ctl {

std::string rate(double bytes, double seconds) {
  if (seconds <= 0) {
    return "-";
  }
  double value = bytes / seconds;
  const char* unit = "B/s";
  for (const char* larger : {"kB/s", "MB/s", "GB/s", "TB/s"}) {
    if (std::abs(value) < 1000) {
      break;
    }
    value /= 1000;
    unit = larger;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

std::string span(double seconds) {
  if (!std::isfinite(seconds)) {
    return "for ever";
  }
  struct Unit {
    double seconds;
    const char* name;
  };
  for (const Unit& unit :
       {Unit{365.25 * 86400, "years"}, Unit{86400, "days"}, Unit{3600, "h"}, Unit{60, "min"}}) {
    if (seconds >= 2 * unit.seconds) {
      return fmt::format("{:.1f} {}", seconds / unit.seconds, unit.name);
    }
  }
  return fmt::format("{:.0f} s", seconds);
}

std::string ago(std::int64_t ms, std::int64_t nowMs) {
  return ms <= 0 ? "never" : span(static_cast<double>(std::max<std::int64_t>(0, nowMs - ms)) / 1000) + " ago";
}

std::string colored(bool isWanted, Color color, std::string_view text) {
  if (!isWanted) {
    return std::string(text);
  }
  const char* code = "0";
  switch (color) {
    case Color::kGood:
      code = "32";
      break;
    case Color::kBad:
      code = "31";
      break;
    case Color::kDim:
      code = "2";
      break;
    case Color::kBold:
      code = "1";
      break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace shift::ctl
