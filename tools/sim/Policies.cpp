#include "tools/sim/Policies.h"

#include "tools/sim/Belady.h"
#include "tools/sim/CacheLibModel.h"
#include "tools/sim/NodeModel.h"

namespace shift::sim {

const std::vector<std::string_view>& policyNames() {
  static const std::vector<std::string_view> names = {"fifo",   "lru",     "historic", "future",
                                                      "hybrid", "planned", "belady"};
  return names;
}

Outcome runPolicy(const Trace& trace, std::string_view policy, control::Parameters parameters,
                  const Meter& meter) {
  if (policy == "fifo") {
    return runCacheLib(trace, {.order = FlashOrder::kFifo}, meter);
  }
  if (policy == "lru") {
    return runCacheLib(trace, {.order = FlashOrder::kLru}, meter);
  }
  if (policy == "belady") {
    return runBelady(trace, meter);
  }
  parameters.policy = policy;
  return runNode(trace, parameters, {}, meter);
}

}  // namespace shift::sim
