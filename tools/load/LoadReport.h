#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client-lib/ClientStats.h"
#include "tools/load/LoadRun.h"
#include "tools/load/NodeTraffic.h"

namespace shift::load {

/** What the modelled disks in front of this process's backing store did. */
struct DiskUse {
  std::uint32_t disks = 0;
  std::int64_t reads = 0;
  std::int64_t bytes = 0;
  double headSeconds = 0;
};

/** All that a run has to tell. */
struct LoadReport {
  std::string pattern;
  std::vector<std::string> jobNames;
  std::uint32_t readers = 0;  // of each job
  double readsPerSecond = 0;  // asked for; 0: closed loop
  bool verified = false;
  LoadResult result;
  std::optional<client::ClientStats> tier;  // nothing: the backing store was read directly
  std::optional<NodeTraffic> nodes;         // nothing: unknown
  std::string nodesUnknown;                 // why
  std::optional<DiskUse> disks;             // nothing: none were modelled

  /** No read failed, none gave wrong bytes, and there was at least one. */
  bool isGood() const;
};

/** For people. */
std::string toTable(const LoadReport& report);
/** One object on one line; docs/shift-bench.md has its keys. What is not known is null. */
std::string toJson(const LoadReport& report);

}  // namespace shift::load
