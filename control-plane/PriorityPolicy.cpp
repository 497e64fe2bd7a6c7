#include "control-plane/PriorityPolicy.h"

#include <array>

namespace shift::control {

namespace {

constexpr std::array kPolicies = {
    // Priorities are shown to people, here and for `planned`; neither decides by them.
    PriorityPolicy{.name = "admit-all", .priority = hybridPriority, .admitsAll = true},
    PriorityPolicy{"historic", historicPriority},
    PriorityPolicy{"future", futurePriority},
    PriorityPolicy{"hybrid", hybridPriority},
    PriorityPolicy{.name = "planned", .priority = hybridPriority, .plansBlocks = true},
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
