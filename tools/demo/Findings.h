#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/Clock.h"

namespace shift::demo {

/** What nodes were asked for and did about it, those of one policy together. */
struct NodeWork {
  std::uint64_t requestedBytes = 0;
  std::uint64_t servedBytes = 0;
  std::uint64_t fetchedBytes = 0;
  std::uint64_t flashBytes = 0;  // written

  /** Negative where more was fetched than served. */
  double absorbedBytes() const {
    return static_cast<double>(servedBytes) - static_cast<double>(fetchedBytes);
  }
  double absorbedShare() const;
  /** Bytes written to flash for each byte absorbed; infinite if none was. */
  double writesPerAbsorbedByte() const;
  /** Read from disks for what these nodes were asked for, be it by them or by clients that they refused. */
  std::uint64_t diskBytes() const { return requestedBytes - servedBytes + fetchedBytes; }

  NodeWork& operator+=(const NodeWork& other);
};

/** One policy's part in the act where all are side by side. */
struct ArmFinding {
  std::string policy;
  NodeWork work;
};

/** A run of all jobs, with one policy on all nodes or without nodes. */
struct RunFinding {
  std::string policy;  // "no cache" without nodes
  std::vector<Duration> jobTimes;
  NodeWork work;
  std::uint64_t diskBytes = 0;  // read by nodes and clients

  Duration meanJobTime() const;
  Duration longestJobTime() const;
};

/** All that the tour has found. */
struct Findings {
  std::uint64_t bytesRead = 0;  // by the jobs of one act
  RunFinding noCache;
  std::vector<ArmFinding> sideBySide;  // as policies() has them, as are the runs
  std::vector<RunFinding> runs;
};

}  // namespace shift::demo
