#include "control-plane/PriorityPolicy.h"

#include <array>

namespace shift::control {

namespace {

constexpr std::array kPolicies = {
    PriorityPolicy{"historic", historicPriority},
    PriorityPolicy{"future", futurePriority},
    PriorityPolicy{"hybrid", hybridPriority},
    // Its buckets' priority is shown to people; what is kept is decided block by block.
    PriorityPolicy{"planned", hybridPriority, true},
};

}  // namespace

const PriorityPolicy* findPolicy(std::string_view name) {
  for (const PriorityPolicy& policy : kPolicies) {
    if (policy.name == name) {
      return &policy;
    }
  }
  return nullptr;
}

std::string policyNames() {
  std::string names;
  for (const PriorityPolicy& policy : kPolicies) {
    names.append(names.empty() ? "" : ", ").append(policy.name);
  }
  return names;
}

}  // namespace shift::control
