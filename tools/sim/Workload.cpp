#include "tools/sim/Workload.h"

namespace shift::sim {

namespace {

WorkloadJob job(std::string name, std::vector<std::uint32_t> partitions, std::uint32_t batch = 0) {
  WorkloadJob result;
  result.name = std::move(name);
  result.partitions = std::move(partitions);
  result.batch = batch;
  // As the calibration has it: a job's readers take files from one queue, in an order of the job's own.
  result.splitting = Splitting::kShuffled;
  result.announcedOrder = control::ReadOrder::kSeeded;
  return result;
}

}  // namespace

std::vector<WorkloadPartition> equalPartitions(std::uint32_t count, double bytes) {
  std::vector<WorkloadPartition> partitions;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string digits = std::to_string(i);
    partitions.push_back({"table/partition-" + std::string(6 - digits.size(), '0') + digits, bytes});
  }
  return partitions;
}

double bytesRead(const Workload& workload) {
  double bytes = 0;
  for (const WorkloadJob& job : workload.jobs) {
    for (const std::uint32_t partition : job.partitions) {
      bytes += workload.partitions[partition].bytes;
    }
  }
  return bytes;
}

Workload synchronizedWorkload() {
  Workload workload;
  workload.name = "Synchronized";
  workload.partitions = equalPartitions(9, 5e12);
  workload.jobs = {job("job-1", {0, 1, 2}), job("job-2", {3, 4, 5}), job("job-3", {0, 1, 2}),
                   job("job-4", {6, 7, 8}), job("job-5", {0, 1, 2})};
  workload.flashBytes = 1.28e12;
  workload.readersPerJob = 4;
  return workload;
}

Workload pipelinedWorkload() {
  Workload workload;
  workload.name = "Pipelined";
  workload.partitions = equalPartitions(3, 5e12);
  workload.jobs = {job("job-1", {0, 1, 2}), job("job-2", {1, 2}), job("job-3", {2})};
  workload.flashBytes = 5e12;
  workload.readersPerJob = 5;
  return workload;
}

Workload sequentialWorkload() {
  Workload workload;
  workload.name = "Sequential";
  workload.partitions = equalPartitions(5, 5e12);
  workload.jobs = {job("job-1", {0}, 0), job("job-2", {0}, 0), job("job-3", {0}, 0),
                   job("job-4", {0}, 1), job("job-5", {1}, 1), job("job-6", {2}, 1),
                   job("job-7", {0}, 2), job("job-8", {3}, 2), job("job-9", {4}, 2)};
  workload.flashBytes = 5e12;
  workload.readersPerJob = 5;
  return workload;
}

Skew calibratedSkew() {
  return {.jobSpread = 0, .drift = 0.2, .readerDrift = 0.02, .driftSeconds = 60, .startSpread = 240};
}

void readInListedOrder(Workload& workload) {
  for (WorkloadJob& job : workload.jobs) {
    job.splitting = Splitting::kContiguous;
    job.announcedOrder = control::ReadOrder::kListed;
  }
}

Skew listedSkew() {
  return {.jobSpread = 0.3, .drift = 0.3, .readerDrift = 0.3, .driftSeconds = 1000, .startSpread = 0};
}

}  // namespace shift::sim
