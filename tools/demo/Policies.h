#pragma once

#include <array>
#include <string>
#include <vector>

namespace shift::demo {

/** One of the policies that the tour compares. */
struct Policy {
  std::string key;                    // in names of jobs and arms
  std::string label;                  // for people
  std::vector<std::string> settings;  // of a node that follows it
};

inline constexpr std::size_t kPolicies = 3;

/** LRU, the paper's Hybrid, and planned: from the one that knows least to the one that knows most. */
const std::array<Policy, kPolicies>& policies();

}  // namespace shift::demo
