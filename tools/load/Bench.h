#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "tools/load/LoadReport.h"
#include "tools/load/LoadRun.h"

namespace shift::load {

/** Everything shift-bench can be told. */
struct BenchOptions {
  std::string configFile;              // of the client
  std::vector<std::string> overrides;  // KEY=VALUE
  std::vector<std::string> paths;      // below the store's root; none: all
  std::string jobName = "bench";       // jobs are NAME-0, NAME-1 …
  LoadConfig load;
  bool direct = false;
  bool verify = true;
  std::uint32_t modelledDisks = 0;
  std::uint32_t makeFiles = 0;  // 0: no dataset is made
  std::uint64_t fileSize = 64 * kMiB;
  std::vector<HostPort> admins;
};

std::string_view nameOf(PatternKind kind);

/** Runs the load and tells all about it. Shows a progress line on standard error. Ends early, and still
 * tells, when `stop` is set. */
Result<LoadReport> runBench(const BenchOptions& options, const std::atomic<bool>& stop);

}  // namespace shift::load
