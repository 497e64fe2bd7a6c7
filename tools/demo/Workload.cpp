#include "tools/demo/Workload.h"

#include <algorithm>
#include <limits>
#include <random>

#include "control-plane/JobSpec.h"

namespace shift::demo {
namespace {

/** Jobs begin within this share of the time that all of it takes, as in the simulator's calibration. */
constexpr double kStartSpread = 0.1;

}  // namespace

std::vector<TourJob> synchronizedJobs(const Shape& shape, std::uint64_t seed) {
  std::vector<TourJob> jobs{{.name = "job-1", .partitions = {0, 1, 2}},
                            {.name = "job-2", .partitions = {3, 4, 5}},
                            {.name = "job-3", .partitions = {0, 1, 2}},
                            {.name = "job-4", .partitions = {6, 7, 8}},
                            {.name = "job-5", .partitions = {0, 1, 2}}};
  std::mt19937_64 random(seed);
  const double spread =
      kStartSpread * std::chrono::duration<double>(shape.diskTime(bytesRead(jobs, shape))).count();
  for (TourJob& job : jobs) {
    job.shuffleSeed = random() & std::numeric_limits<std::int64_t>::max();  // the GMS keeps it with a sign
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    job.startsAfter = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(spread * share));
  }
  const Duration first = std::ranges::min_element(jobs, {}, &TourJob::startsAfter)->startsAfter;
  for (TourJob& job : jobs) {
    job.startsAfter -= first;
  }
  return jobs;
}

std::vector<std::string> filesInOrder(const TourJob& job, const Dataset& dataset) {
  std::vector<std::string> files;
  for (const std::size_t index : job.partitions) {
    const std::vector<std::string>& listed = dataset.partitions[index].files;
    for (const std::uint32_t file :
         control::shuffledFiles(job.shuffleSeed, static_cast<std::uint32_t>(listed.size()))) {
      files.push_back(listed[file]);
    }
  }
  return files;
}

std::uint64_t bytesRead(const std::vector<TourJob>& jobs, const Shape& shape) {
  std::uint64_t partitions = 0;
  for (const TourJob& job : jobs) {
    partitions += job.partitions.size();
  }
  return partitions * shape.filesPerPartition * shape.fileSize;
}

}  // namespace shift::demo
