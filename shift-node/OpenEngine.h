#pragma once

#include <memory>

#include "common/Clock.h"
#include "common/Counters.h"
#include "common/Result.h"
#include "shift-node/NodeConfig.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/**
 * The engine that the configuration asks for: flash with memory in front of it, or memory alone. Recovers
 * what an earlier process left on flash. `clock` and `counters` outlive it.
 */
Result<std::unique_ptr<Engine>> openEngine(const NodeConfig& config, EvictionHook hook, const Clock& clock,
                                           CounterRegistry& counters);

}  // namespace shift::node
