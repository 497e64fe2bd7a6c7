#pragma once

#include <string>
#include <string_view>

#include "common/Clock.h"
#include "common/Result.h"

namespace shift {

/** Reads "250ms", "10s", "1.5 h". Units: ns, us, ms, s, min, h, d; a bare number is refused, save 0. */
Result<Duration> parseDuration(std::string_view text);

/** The largest unit that divides evenly, as in "10s". Parses back exactly. */
std::string formatDuration(Duration duration);

}  // namespace shift
