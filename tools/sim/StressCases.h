#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/sim/Workload.h"

namespace shift::sim {

struct StressCase {
  std::string name;
  std::string meaning;
  Workload workload;
};

/**
 * A dozen jobs that read two or three of six partitions, arriving at random, and what can go wrong with them:
 * one case per fault, and one with all of them. The same seed gives the same jobs in every case.
 */
std::vector<StressCase> stressCases(std::uint64_t seed);

}  // namespace shift::sim
