#include "tools/sim/StressCases.h"

#include <algorithm>
#include <functional>
#include <random>

namespace shift::sim {

namespace {

constexpr std::uint32_t kJobs = 12;
constexpr std::uint32_t kPartitions = 6;
constexpr double kMeanArrivalSeconds = 90;

using Random = std::mt19937_64;

double uniform(Random& random, double from = 0, double to = 1) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

/** Low numbers are popular: the recent partitions of a table. */
std::vector<std::uint32_t> somePartitions(Random& random) {
  const auto first = static_cast<std::uint32_t>(kPartitions * uniform(random) * uniform(random));
  const std::uint32_t count = 2 + static_cast<std::uint32_t>(random() % 2);
  std::vector<std::uint32_t> partitions;
  for (std::uint32_t i = 0; i < count; ++i) {
    partitions.push_back((first + i) % kPartitions);
  }
  return partitions;
}

Workload plainWorkload(std::uint64_t seed) {
  Random random(seed * 7919 + 1);
  Workload workload;
  workload.partitions = equalPartitions(kPartitions, 1.25e12);
  workload.flashBytes = 1.28e12;
  workload.readersPerJob = 4;
  double arrival = 0;
  for (std::uint32_t i = 0; i < kJobs; ++i) {
    WorkloadJob job;
    job.name = "job-" + std::to_string(i + 1);
    job.partitions = somePartitions(random);
    job.startAfter = arrival;
    arrival += std::exponential_distribution<double>(1 / kMeanArrivalSeconds)(random);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

/** Changes each job, with a random stream of its own, so that faults do not disturb each other. */
void forEachJob(Workload& workload, std::uint64_t seed,
                const std::function<void(WorkloadJob&, Random&)>& change) {
  Random random(seed);
  for (WorkloadJob& job : workload.jobs) {
    change(job, random);
  }
}

void shuffle(Workload& workload, control::ReadOrder announced) {
  for (WorkloadJob& job : workload.jobs) {
    job.splitting = Splitting::kShuffled;
    job.announcedOrder = announced;
  }
}

void takeColumns(Workload& workload, std::uint64_t seed) {
  forEachJob(workload, seed * 31 + 1,
             [](WorkloadJob& job, Random& random) { job.columns = uniform(random, 0.3, 1); });
}

void killSome(Workload& workload, std::uint64_t seed) {
  forEachJob(workload, seed * 31 + 2, [](WorkloadJob& job, Random& random) {
    const double where = uniform(random, 0.1, 0.9);
    job.stopsAfter = random() % 3 == 0 ? where : 1;
  });
}

void skipAndPause(Workload& workload, std::uint64_t seed) {
  forEachJob(workload, seed * 31 + 3, [](WorkloadJob& job, Random& random) {
    job.skips = random() % 2 == 0 ? 0.3 : 0;
    job.pauseSeconds = random() % 2 == 0 ? 300 : 0;
  });
}

void stepRates(Workload& workload, std::uint64_t seed) {
  forEachJob(workload, seed * 31 + 4,
             [](WorkloadJob& job, Random& random) { job.rateStep = random() % 2 == 0 ? 3 : 1.0 / 3; });
}

void spoilSpecs(Workload& workload, std::uint64_t seed) {
  forEachJob(workload, seed * 31 + 5, [](WorkloadJob& job, Random& random) {
    const double chance = uniform(random);
    if (chance < 0.1) {
      job.announced = false;
    } else if (chance < 0.2) {
      job.announcedPartitions = somePartitions(random);
    }
  });
}

}  // namespace

std::vector<StressCase> stressCases(std::uint64_t seed) {
  std::vector<StressCase> cases;
  const auto add = [&](std::string name, std::string meaning, const std::function<void(Workload&)>& change) {
    Workload workload = plainWorkload(seed);
    workload.name = name;
    change(workload);
    cases.push_back({std::move(name), std::move(meaning), std::move(workload)});
  };
  add("splits", "readers scan a split each; jobs arrive at random", [](Workload&) {});
  add("queue", "readers take files from one queue", [](Workload& workload) {
    for (WorkloadJob& job : workload.jobs) {
      job.splitting = Splitting::kQueue;
    }
  });
  add("shuffle", "each job shuffles files, and says so",
      [](Workload& workload) { shuffle(workload, control::ReadOrder::kUnknown); });
  add("lying", "each job shuffles files, and says it does not",
      [](Workload& workload) { shuffle(workload, control::ReadOrder::kListed); });
  add("columns", "each job reads 30 to 100 % of each block",
      [&](Workload& workload) { takeColumns(workload, seed); });
  add("kills", "a third of the jobs are killed on the way",
      [&](Workload& workload) { killSome(workload, seed); });
  add("skips", "half skip 30 % of the files, half pause for 300 s",
      [&](Workload& workload) { skipAndPause(workload, seed); });
  add("rates", "from halfway on, each job is three times as fast or as slow",
      [&](Workload& workload) { stepRates(workload, seed); });
  add("specs", "20 % of the specs are missing or wrong",
      [&](Workload& workload) { spoilSpecs(workload, seed); });
  add("one-node", "one node has all the blocks", [](Workload& workload) { workload.nodes = 1; });
  add("fifty-nodes", "one of fifty nodes", [](Workload& workload) { workload.nodes = 50; });
  add("everything", "queues, shuffles, columns, kills, skips, rates and specs at once",
      [&](Workload& workload) {
        forEachJob(workload, seed * 31 + 6, [](WorkloadJob& job, Random& random) {
          const std::uint64_t choice = random() % 3;
          job.splitting = choice == 0   ? Splitting::kContiguous
                          : choice == 1 ? Splitting::kQueue
                                        : Splitting::kShuffled;
          job.announcedOrder = choice == 2 ? control::ReadOrder::kUnknown : control::ReadOrder::kListed;
        });
        takeColumns(workload, seed);
        killSome(workload, seed);
        skipAndPause(workload, seed);
        stepRates(workload, seed);
        spoilSpecs(workload, seed);
      });
  return cases;
}

}  // namespace shift::sim
