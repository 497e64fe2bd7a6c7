#include "tools/sim/ProductionMix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

namespace shift::sim {

namespace {

constexpr double kHour = 3600;
constexpr double kCountedHours = 9;
constexpr double kWarmUpHours = 2;
/** Jobs that are under way when the trace begins have begun within so many hours before it. */
constexpr double kHoursBefore = 24;
constexpr std::uint32_t kDays = 30;  // date partitions that a table keeps; day 0 is the most recent
constexpr double kJobBytesPerSecond = 5e6;
constexpr std::uint32_t kReaders = 4;
/** With it the most read table sees some thousand jobs a week; the paper plots 642. */
constexpr double kTableExponent = 0.6;

using Random = std::mt19937_64;

double fraction(Random& random) {
  return std::uniform_real_distribution<double>(0, 1)(random);
}

std::uint32_t between(Random& random, std::uint32_t first, std::uint32_t last) {
  return std::uniform_int_distribution<std::uint32_t>(first, last)(random);
}

std::string twoDigits(std::uint32_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string tableName(std::uint32_t table) {
  return "table-" + twoDigits(table);
}

/** Share of all reads; the tables are numbered by it. */
std::vector<double> popularity() {
  std::vector<double> shares(ProductionMix::kTables);
  for (std::uint32_t i = 0; i < shares.size(); ++i) {
    shares[i] = std::pow(i + 1, -kTableExponent);
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::ranges::for_each(shares, [&](double& share) { share /= sum; });
  return shares;
}

/** Tables that are read more are larger, but by less: bytes go with the root of the popularity. */
std::vector<double> partitionBytes() {
  std::vector<double> bytes = popularity();
  std::ranges::for_each(bytes, [](double& value) { value = std::sqrt(value); });
  const double sum = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  std::ranges::for_each(bytes, [&](double& value) { value *= ProductionMix::kStoredBytes / kDays / sum; });
  return bytes;
}

/** Most jobs read a few partitions; most reads are by jobs with twenty and more (Figure 4a). */
std::uint32_t partitionCount(Random& random) {
  const double kind = fraction(random);
  if (kind < 0.55) {
    return between(random, 1, 3);
  }
  return kind < 0.80 ? between(random, 4, 19) : between(random, 20, 30);
}
constexpr double kMeanPartitions = 0.55 * 2 + 0.25 * 11.5 + 0.20 * 25;

/** Much goes to the most recent days; larger jobs keep to one of a few ranges (Figure 4b). */
std::vector<std::uint32_t> daysOf(Random& random) {
  constexpr std::array<std::uint32_t, 3> kRangeEnds = {0, 6, 13};
  const std::uint32_t count = partitionCount(random);
  std::uint32_t newest = 0;
  if (count > 3) {
    newest = kRangeEnds[between(random, 0, kRangeEnds.size() - 1)];
  } else if (fraction(random) > 0.6) {
    newest = between(random, 0, kDays - 1);
  }
  newest = std::min(newest, kDays - count);
  std::vector<std::uint32_t> days;
  for (std::uint32_t i = count; i-- > 0;) {
    days.push_back(newest + i);  // training goes forward in time
  }
  return days;
}

/** How likely a feature is read, by its place in the order of popularity: half of the bytes serve almost all
 * reads, a quarter serves none (Figure 5a). */
double readChance(double place) {
  return place < 0.5 ? 0.9 : place < 0.75 ? 0.08 : 0;
}
constexpr double kMeanFeatures = 0.5 * 0.9 + 0.25 * 0.08;

std::vector<bool> featuresOf(Random& random, std::uint32_t count) {
  std::vector<bool> features(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    features[i] = fraction(random) < readChance(static_cast<double>(i) / count);
  }
  features[0] = true;  // nobody reads nothing
  return features;
}

}  // namespace

Workload productionWorkload(std::uint64_t seed) {
  Random random(seed * 104729 + 3);
  Workload workload;
  workload.name = "Production";
  workload.nodes = 1;
  workload.flashBytes = ProductionMix::kFlashBytes;
  workload.readersPerJob = kReaders;
  workload.readerBytesPerSecond = kJobBytesPerSecond / kReaders;
  workload.warmUpSeconds = kWarmUpHours * kHour;
  workload.endsAfter = (kWarmUpHours + kCountedHours) * kHour;
  const std::vector<double> bytes = partitionBytes();
  for (std::uint32_t table = 0; table < ProductionMix::kTables; ++table) {
    for (std::uint32_t day = 0; day < kDays; ++day) {
      workload.partitions.push_back({tableName(table) + "/day-" + twoDigits(day), bytes[table]});
    }
  }
  // A job of a large table reads more, so jobs are chosen by reads per byte of a partition.
  std::vector<double> chances = popularity();
  double meanPartition = 0;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    chances[i] /= bytes[i];
  }
  const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
  for (std::size_t i = 0; i < chances.size(); ++i) {
    meanPartition += chances[i] / sum * bytes[i];
  }
  std::discrete_distribution<std::uint32_t> chooseTable(chances.begin(), chances.end());
  const double jobsPerSecond =
      ProductionMix::kReadBytesPerSecond / (meanPartition * kMeanPartitions * kMeanFeatures);
  std::exponential_distribution<double> gap(jobsPerSecond);
  std::lognormal_distribution<double> rate(0, 0.4);
  for (double time = -kHoursBefore * kHour; time < workload.endsAfter; time += gap(random)) {
    const std::uint32_t table = chooseTable(random);
    WorkloadJob job;
    job.name = "job-" + std::to_string(workload.jobs.size() + 1);
    for (const std::uint32_t day : daysOf(random)) {
      job.partitions.push_back(table * kDays + day);
    }
    job.startAfter = time;
    job.rate = rate(random);
    job.features = featuresOf(random, workload.featuresPerFile);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

std::vector<bool> blocksOfTopTables(const Trace& trace, std::uint32_t tables) {
  const std::string firstOther = tableName(tables);
  std::vector<bool> chosen;
  chosen.reserve(trace.blocks.size());
  for (const control::ReadRequest& block : trace.blocks) {
    chosen.push_back(block.path < firstOther);
  }
  return chosen;
}

}  // namespace shift::sim
