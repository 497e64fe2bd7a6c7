#pragma once

#include "tools/sim/Outcome.h"
#include "tools/sim/Trace.h"

namespace shift::sim {

/**
 * The best that any policy could do that sees the whole trace beforehand: Belady's MIN, segment by segment,
 * with bypass (what is used later than all that is held is not taken in). Capacity is DRAM and flash
 * together.
 */
Outcome runBelady(const Trace& trace);

}  // namespace shift::sim
