#pragma once

#include <functional>

#include "control-plane/ControlPlane.h"
#include "tools/sim/Outcome.h"
#include "tools/sim/Trace.h"

namespace shift::sim {

/** What happens to each request, for tests and plots. */
struct NodeProbe {
  std::function<void(const TraceEvent& event, bool hit, const control::Decision* decision)> onRequest;
  /** After each refresh, with the bytes written since the one before. */
  std::function<void(double time, const control::Thresholds& thresholds, std::uint64_t writtenBytes)>
      onRefresh;
};

/**
 * One node over a trace: the control plane as it is, an engine without the bytes. Calls what a node calls, in
 * the same order and at the same intervals.
 */
Outcome runNode(const Trace& trace, const control::Parameters& parameters, const NodeProbe& probe = {},
                const Meter& meter = {});

}  // namespace shift::sim
