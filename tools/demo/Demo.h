#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "common/Clock.h"
#include "common/Result.h"
#include "tools/demo/Dataset.h"

namespace shift::demo {

struct DemoConfig {
  std::string binaries;   // where shift-node and shift-gms are
  std::string directory;  // for all the demo makes
  std::uint32_t nodes = 3;
  std::uint64_t dramPerNode = 16 * 1024 * 1024;
  std::uint64_t flashPerNode = 128 * 1024 * 1024;
  DatasetShape dataset;
};

/**
 * The demo from end to end: a dataset, a GMS, some nodes, and jobs that read the same partitions one after
 * the other and side by side. Prints as it goes. Stops early, and in order, when `stop` becomes true.
 */
Status runDemo(const DemoConfig& config, const Clock& clock, const std::atomic<bool>& stop);

}  // namespace shift::demo
