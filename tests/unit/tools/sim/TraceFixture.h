#pragma once

#include "tools/sim/Trace.h"

namespace shift::sim {

/** A small version of the Pipelined workload: some thousand requests. */
inline Workload smallWorkload() {
  Workload workload = pipelinedWorkload();
  workload.partitions = equalPartitions(3, 2e11);
  workload.flashBytes = 2e11;
  workload.dramBytesPerNode = 1e9;
  workload.nodes = 2;
  workload.readerBytesPerSecond = 1e8;
  return workload;
}

inline TraceOptions smallOptions() {
  return {
      .scale = 1.0 / 64,
      .seed = 7,
      .skew = {.jobSpread = 0.1, .drift = 0.1, .readerDrift = 0.1, .driftSeconds = 100, .startSpread = 10}};
}

}  // namespace shift::sim
