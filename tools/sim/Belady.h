#pragma once

#include "tools/sim/Outcome.h"
#include "tools/sim/Trace.h"

namespace shift::sim {

/**
 * A reference that sees the whole trace beforehand: Belady's MIN, segment by segment, with bypass. Capacity
 * is DRAM and flash together. What is used later than all that is held is not taken in, nor is a segment of
 * which more would be fetched for nothing than the next read asks for: the client then reads what it wants
 * itself. Unlike a node it may serve a part of a read. With reads of whole segments it is the best that can
 * be done.
 */
Outcome runBelady(const Trace& trace, const Meter& meter = {});

}  // namespace shift::sim
