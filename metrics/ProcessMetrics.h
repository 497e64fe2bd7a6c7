#pragma once

#include <string_view>

#include "common/Clock.h"
#include "metrics/Exposition.h"

namespace shift::metrics {

/**
 * Adds what every program tells of itself: its version, and CPU time, memory and descriptors by the names
 * that Prometheus' own libraries give them. What the kernel does not tell is left out.
 */
void addProcess(Exposition& exposition, std::string_view program, WallTime started);

}  // namespace shift::metrics
