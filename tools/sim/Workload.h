#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "control-plane/JobSpec.h"

namespace shift::sim {

/** How a job's readers divide a partition among themselves. */
enum class Splitting {
  kContiguous,  // each reads one part of it from end to end
  kQueue,       // each takes the next file when it has read one
  kShuffled,    // each takes the next file of a shuffle of the job's own
};

struct WorkloadPartition {
  std::string path;  // of its directory
  double bytes = 0;
};

struct WorkloadJob {
  std::string name;
  std::vector<std::uint32_t> partitions;  // indices, in the order of reading
  std::uint32_t batch = 0;                // a batch begins when all of the one before have ended
  double startAfter = 0;                  // seconds after the batch begins; may lie before time zero
  double rate = 1;                        // how many times as fast as the workload's readers
  Splitting splitting = Splitting::kContiguous;
  double stopsAfter = 1;    // share of its reading after which it is killed
  double skips = 0;         // share of files that it leaves out
  double pauseSeconds = 0;  // it stands still so long, halfway through
  double rateStep = 1;      // from halfway on it reads this many times as fast
  double columns = 1;       // share of each block that it reads, from its beginning
  /** One per feature of a file (Workload::featuresPerFile): whether it is read. Empty: all are. */
  std::vector<bool> features{};
  control::ReadOrder announcedOrder = control::ReadOrder::kListed;
  bool announced = true;                           // false: no spec
  std::vector<std::uint32_t> announcedPartitions;  // if other than what it reads
};

/** What all jobs of a run read, and with how much cache. Sizes are the whole cluster's, at scale 1. */
struct Workload {
  std::string name;
  std::vector<WorkloadPartition> partitions;
  std::vector<WorkloadJob> jobs;
  double flashBytes = 0;
  double dramBytesPerNode = 16e9;
  std::uint32_t readersPerJob = 4;
  double readerBytesPerSecond = 1.5e9;
  std::uint32_t nodes = 6;
  /** Files are laid out by column: each feature is one of so many equal ranges of a file. */
  std::uint32_t featuresPerFile = 40;
  double warmUpSeconds = 0;                                    // played, but not counted
  double endsAfter = std::numeric_limits<double>::infinity();  // seconds; jobs are cut off there
};

/** So many alike, of one table. */
std::vector<WorkloadPartition> equalPartitions(std::uint32_t count, double bytes);

/** By all jobs, at all nodes, if none is cut short. */
double bytesRead(const Workload& workload);

/** The paper's Table 3. */
Workload synchronizedWorkload();
Workload pipelinedWorkload();
Workload sequentialWorkload();

/**
 * How far jobs that begin together drift apart. Calibrated once, on the paper's FIFO/LRU and Historic/LRU
 * ratios alone, and then left as it is: see docs/simulator.md.
 */
struct Skew {
  double jobSpread = 0;       // standard deviation of a job's mean rate, as a share
  double drift = 0;           // standard deviation of a job's rate about its mean
  double readerDrift = 0;     // the same for one reader about its job
  double driftSeconds = 300;  // for how long a deviation lasts
  double startSpread = 0;     // seconds within which jobs of a batch begin
};

Skew calibratedSkew();

/** The other way to read: each reader scans one split in listed order. With the skew that fits it best. */
void readInListedOrder(Workload& workload);
Skew listedSkew();

}  // namespace shift::sim
