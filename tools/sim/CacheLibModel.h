#pragma once

#include <cstdint>
#include <list>
#include <random>
#include <vector>

#include "tools/sim/Outcome.h"
#include "tools/sim/Trace.h"

namespace shift::sim {

/** How regions of flash are given up. */
enum class FlashOrder { kLru, kFifo };

/** What may pass from DRAM to flash. */
enum class FlashAdmission {
  kAll,
  kRejectFirst,  // not what is offered for the first time
  kDynamic,      // at random, so that a write rate is kept
};

struct CacheLibConfig {
  FlashOrder order = FlashOrder::kLru;
  FlashAdmission admission = FlashAdmission::kAll;
  double bytesPerSecond = 0;  // kDynamic: the rate to keep
  std::uint64_t seed = 1;
  /** One per block of the trace: those that clients ask the cache for at all. Empty: all. */
  std::vector<bool> eligible{};
};

/**
 * A general-purpose cache in the form of CacheLib's, as the baseline: every miss is fetched and goes into
 * DRAM (LRU); what DRAM evicts is written to flash, if it is not there already and is admitted; flash is a
 * log of regions, given up whole, by the recency of their last hit or by age. A hit on flash comes back into
 * DRAM.
 */
Outcome runCacheLib(const Trace& trace, const CacheLibConfig& config, const Meter& meter = {});

}  // namespace shift::sim
