#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <unordered_map>

#include "bench/report/BenchReport.h"
#include "blocks/Geometry.h"
#include "control-plane/ControlPlane.h"

namespace shift::bench {

namespace {

constexpr int kRounds = 5;
constexpr std::size_t kOperations = 100000;
/** Costs per operation may grow by so much more than those of a hash map as everything outgrows the caches.
 */
constexpr double kGrowthGoal = 2;

/** Processor time of this thread: what others do on the machine does not count. */
double cpuNanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double nanosecondsOf(const std::function<void()>& work) {
  const double begin = cpuNanoseconds();
  work();
  return cpuNanoseconds() - begin;
}

/** Each value divided: what a round cost, per operation. */
std::vector<double> perOperation(std::vector<double> rounds, double operations) {
  for (double& round : rounds) {
    round /= operations;
  }
  return rounds;
}

/** One request for each bucket, of four segments. */
std::vector<control::ReadRequest> requestsFor(std::size_t buckets, std::size_t jobs) {
  std::vector<control::ReadRequest> requests(buckets);
  for (std::size_t i = 0; i < buckets; ++i) {
    control::ReadRequest& request = requests[i];
    request.store = "warehouse";
    request.path = "table/partition-" + std::to_string(i) + "/part-000001";
    request.version = "1";
    request.job = "job-" + std::to_string(i % jobs);
    request.fileSize = kDefaultBlockSize;
    request.blockSize = kDefaultBlockSize;
    request.block = blockIdOf(request.store, request.path, request.version, kDefaultBlockSize, 0);
    request.length = kMiB;
  }
  return requests;
}

control::Parameters parametersFor(const std::string& policy) {
  control::Parameters parameters;
  parameters.policy = policy;
  parameters.maxBuckets = 1 << 22;
  return parameters;
}

control::NodeFacts facts() {
  return {.blockSize = kDefaultBlockSize, .segmentSize = kDefaultSegmentSize, .owns = {}};
}

/** Nanoseconds an operation, one value a round. */
struct Costs {
  std::vector<double> record;
  std::vector<double> decide;
  std::vector<double> refresh;  // per changed bucket, or per job
  std::vector<double> peer;     // one update of a plain hash map
};

/** record(), decide() and refresh() over so many buckets, a round of each in turn with the hash map. */
Costs costsOf(std::size_t buckets, std::size_t jobs) {
  const std::vector<control::ReadRequest> requests = requestsFor(buckets, jobs);
  control::ControlPlane plane(parametersFor("hybrid"), facts());
  std::unordered_map<std::uint64_t, std::uint64_t> peer;
  TimePoint now(std::chrono::hours(1));
  for (const control::ReadRequest& request : requests) {
    plane.record(request, now);
    peer[request.block.low] += request.length;
  }
  plane.refresh(now);

  std::mt19937_64 random(1);
  std::vector<std::uint32_t> order(kOperations);
  std::ranges::generate(order, [&] { return static_cast<std::uint32_t>(random() % buckets); });
  std::vector<double> record;
  std::vector<double> decide;
  std::vector<double> refresh;
  std::vector<double> map;
  std::size_t admitted = 0;
  for (int round = 0; round < kRounds; ++round) {
    now += std::chrono::seconds(10);
    map.push_back(nanosecondsOf([&] {
      for (const std::uint32_t i : order) {
        peer[requests[i].block.low] += requests[i].length;
      }
    }));
    record.push_back(nanosecondsOf([&] {
      for (const std::uint32_t i : order) {
        plane.record(requests[i], now);
      }
    }));
    decide.push_back(nanosecondsOf([&] {
      for (const std::uint32_t i : order) {
        admitted += plane.decide(requests[i], 0, now).admit ? 1 : 0;
      }
    }));
    refresh.push_back(nanosecondsOf([&] { plane.refresh(now); }));
  }
  std::vector<std::uint32_t> distinct = order;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (admitted > kOperations * kRounds) {
    fmt::print(stderr, "impossible\n");  // keeps the decisions from being optimised away
  }
  constexpr double kPerRound = kOperations;
  return {.record = perOperation(record, kPerRound),
          .decide = perOperation(decide, kPerRound),
          .refresh = perOperation(refresh, static_cast<double>(distinct.size())),
          .peer = perOperation(map, kPerRound)};
}

/** A refresh of `planned` with so many jobs, each in the second of three partitions of 64 blocks; per job. */
Costs planCostsOf(std::size_t jobs) {
  constexpr std::uint32_t kBlocks = 64;
  control::ControlPlane plane(parametersFor("planned"), facts());
  std::unordered_map<std::uint64_t, std::uint64_t> peer;
  TimePoint now(std::chrono::hours(1));
  const std::size_t partitions = std::max<std::size_t>(8, jobs / 4);
  const auto nameOf = [](std::size_t i) { return "table/partition-" + std::to_string(i); };
  for (std::size_t i = 0; i < jobs; ++i) {
    control::JobSpec spec;
    spec.job = "job-" + std::to_string(i);
    for (std::size_t p = 0; p < 3; ++p) {
      spec.partitions.push_back("warehouse:" + nameOf((i + p) % partitions));
    }
    plane.applySpecs({&spec, 1}, now);
  }
  for (std::size_t i = 0; i < partitions; ++i) {
    const control::ListedFile file{nameOf(i) + "/part-000001", "1", kBlocks * kDefaultBlockSize};
    plane.setListing("warehouse:" + nameOf(i), {&file, 1}, now);
  }
  std::vector<double> refresh;
  std::vector<double> map;
  for (int round = 0; round < kRounds + 2; ++round) {
    for (std::size_t i = 0; i < jobs; ++i) {
      control::ReadRequest request;
      request.store = "warehouse";
      request.path = nameOf((i + 1) % partitions) + "/part-000001";
      request.version = "1";
      request.job = "job-" + std::to_string(i);
      request.fileSize = kBlocks * kDefaultBlockSize;
      request.blockSize = kDefaultBlockSize;
      // Paces that change all the time, so that every forecast does.
      request.blockIndex =
          static_cast<std::uint64_t>(round) * (3 + (i + static_cast<std::size_t>(round)) % 4);
      request.block =
          blockIdOf(request.store, request.path, request.version, kDefaultBlockSize, request.blockIndex);
      request.length = kMiB;
      plane.record(request, now);
    }
    now += std::chrono::seconds(10);
    map.push_back(nanosecondsOf([&] {
                    for (std::size_t i = 0; i < kOperations; ++i) {
                      peer[i % jobs * 7919] += i;
                    }
                  }) /
                  static_cast<double>(kOperations));
    refresh.push_back(nanosecondsOf([&] { plane.refresh(now); }) / static_cast<double>(jobs));
  }
  return {.refresh = refresh, .peer = map};
}

}  // namespace

void runAll(BenchReport& report) {
  const std::string peer = "hash map update";
  std::vector<Costs> byBuckets;
  for (const std::size_t buckets : {1000, 10000, 100000, 1000000}) {
    const Costs costs = costsOf(buckets, 10);
    const std::string suffix = fmt::format(", {} buckets", buckets);
    report.compare("record" + suffix, "ns", costs.record, peer, costs.peer);
    report.compare("decide" + suffix, "ns", costs.decide, peer, costs.peer);
    report.compare("refresh per changed bucket" + suffix, "ns", costs.refresh, peer, costs.peer);
    byBuckets.push_back(costs);
  }
  std::vector<Costs> byJobs;
  for (const std::size_t jobs : {10, 100, 1000, 10000}) {
    const Costs costs = planCostsOf(jobs);
    report.compare(fmt::format("planned refresh per job, {} jobs", jobs), "ns", costs.refresh, peer,
                   costs.peer);
    byJobs.push_back(costs);
  }
  // Linear: what one operation costs grows no faster, from end to end, than one update of a hash map does.
  const auto growth = [&](const std::string& name, const std::vector<Costs>& costs,
                          std::vector<double> Costs::*cost) {
    const double ours = median(costs.back().*cost) / median(costs.front().*cost);
    const double theirs = median(costs.back().peer) / median(costs.front().peer);
    report.compare("growth of " + name, "x", {ours}, "growth of " + peer, {theirs},
                   Goal::atMost(kGrowthGoal));
  };
  growth("record, 1e3 to 1e6 buckets", byBuckets, &Costs::record);
  growth("decide, 1e3 to 1e6 buckets", byBuckets, &Costs::decide);
  growth("refresh, 1e3 to 1e6 buckets", byBuckets, &Costs::refresh);
  growth("planned refresh, 10 to 1e4 jobs", byJobs, &Costs::refresh);
}

}  // namespace shift::bench

int main(int argc, char** argv) {
  shift::bench::BenchReport report(argc, argv);
  if (argc > 1) {
    fmt::print(stderr, "usage: shift-bench-control [--json]\n");
    return 2;
  }
  shift::bench::runAll(report);
}
