#pragma once

#include <string_view>
#include <vector>

#include "control-plane/Parameters.h"
#include "tools/sim/Outcome.h"
#include "tools/sim/Trace.h"

namespace shift::sim {

/** fifo, lru, historic, future, hybrid, planned, belady: the order in which they are shown. */
const std::vector<std::string_view>& policyNames();

/** Runs one of them. `parameters` holds for those of the control plane; its policy name is replaced. */
Outcome runPolicy(const Trace& trace, std::string_view policy, control::Parameters parameters,
                  const Meter& meter = {});

}  // namespace shift::sim
