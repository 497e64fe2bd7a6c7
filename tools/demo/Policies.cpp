#include "tools/demo/Policies.h"

namespace shift::demo {

const std::array<Policy, kPolicies>& policies() {
  static const std::array<Policy, kPolicies> all{
      Policy{.key = "lru", .label = "LRU", .settings = {"policy.name=admit-all", "cache.eviction=lru"}},
      Policy{.key = "hybrid", .label = "hybrid", .settings = {"policy.name=hybrid"}},
      Policy{.key = "planned", .label = "planned", .settings = {"policy.name=planned"}}};
  return all;
}

}  // namespace shift::demo
