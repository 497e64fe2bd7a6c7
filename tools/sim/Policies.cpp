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

Outcome runPolicy(const Trace& trace, std::string_view policy, control::Parameters parameters) {
  if (policy == "fifo") {
    return runCacheLib(trace, {.order = FlashOrder::kFifo});
  }
  if (policy == "lru") {
    return runCacheLib(trace, {.order = FlashOrder::kLru});
  }
  if (policy == "belady") {
    return runBelady(trace);
  }
  parameters.policy = policy;
  return runNode(trace, parameters);
}

}  // namespace shift::sim
