#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "tools/demo/Dataset.h"
#include "tools/demo/Shape.h"

namespace shift::demo {

/** A training job of the tour. */
struct TourJob {
  std::string name;
  std::vector<std::size_t> partitions;  // indexes into the dataset, in the order of reading
  std::uint64_t shuffleSeed = 0;        // of the order of files in each; announced
  Duration startsAfter{0};              // the first begins at once
};

/**
 * The paper's Synchronized workload: jobs 1, 3 and 5 read the first three partitions, job 2 the next three,
 * job 4 the last three. They start within the first tenth of the time that the disks need for all they read.
 * The same seed gives the same jobs.
 */
std::vector<TourJob> synchronizedJobs(const Shape& shape, std::uint64_t seed);

/** The files of a job in the order in which its readers take them. */
std::vector<std::string> filesInOrder(const TourJob& job, const Dataset& dataset);

/** What all of them read. */
std::uint64_t bytesRead(const std::vector<TourJob>& jobs, const Shape& shape);

}  // namespace shift::demo
