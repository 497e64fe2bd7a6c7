#pragma once

#include <cstdint>

#include "common/Clock.h"

namespace shift {

/** Wall time as the IDL, JSON and databases have it: milliseconds since 1970. */
inline std::int64_t wallMilliseconds(const Clock& clock) {
  return clock.wallNow().time_since_epoch() / std::chrono::milliseconds(1);
}

}  // namespace shift
