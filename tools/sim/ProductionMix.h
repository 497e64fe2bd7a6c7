#pragma once

#include <cstdint>

#include "tools/sim/Trace.h"
#include "tools/sim/Workload.h"

namespace shift::sim {

/**
 * What one node sees of a production cluster in the form of the paper's sections 3.1 and 3.2.1: 100 PB in 85
 * tables, 10 TB/s of reads, 10 PB of flash, all divided by 4000 nodes. The tables' share of the reads follows
 * a power law; jobs arrive at random all the time, read one date partition or tens of them, mostly recent
 * ones or a range that others read too, and a choice of features of which few are popular.
 */
struct ProductionMix {
  static constexpr std::uint32_t kTables = 85;
  static constexpr double kStoredBytes = 25e12;
  static constexpr double kReadBytesPerSecond = 2.5e9;  // on average
  static constexpr double kFlashBytes = 2.5e12;
};

/** Nine hours, and two before them for the cache to warm up. */
Workload productionWorkload(std::uint64_t seed);

/** One per block of the trace: whether it is of one of the `tables` most read tables. */
std::vector<bool> blocksOfTopTables(const Trace& trace, std::uint32_t tables);

}  // namespace shift::sim
