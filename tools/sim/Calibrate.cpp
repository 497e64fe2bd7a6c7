#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/PaperFigures.h"
#include "tools/sim/Parallel.h"
#include "tools/sim/Policies.h"
#include "tools/sim/Statistics.h"

namespace shift::sim {

namespace {

constexpr std::array<std::string_view, 3> kPolicies = {"fifo", "lru", "historic"};

struct NamedSplitting {
  std::string_view name;
  Splitting splitting;
};
constexpr std::array<NamedSplitting, 3> kSplittings = {{{"contiguous", Splitting::kContiguous},
                                                        {"queue", Splitting::kQueue},
                                                        {"shuffled", Splitting::kShuffled}}};

/** What the paper leaves open about how readers move. */
struct Candidate {
  Skew skew;
  Splitting splitting = Splitting::kContiguous;
  std::vector<double> ratios;  // FIFO/LRU and Historic/LRU, workload by workload
  double error = 0;            // sum of squared logarithms of the ratios over the paper's
  int ordersBroken = 0;        // of those that the paper's ratios, if more than 10 % from 1, imply
};

template <std::size_t N>
double oneOf(const std::array<double, N>& values, std::mt19937_64& random) {
  return values[random() % N];
}

Candidate randomCandidate(std::mt19937_64& random) {
  constexpr std::array kSpreads = {0.0, 0.02, 0.05, 0.1, 0.2, 0.3};
  Candidate candidate;
  candidate.skew.jobSpread = oneOf(kSpreads, random);
  candidate.skew.drift = oneOf(kSpreads, random);
  candidate.skew.readerDrift = oneOf(kSpreads, random);
  candidate.skew.driftSeconds = oneOf(std::array{60.0, 300.0, 1000.0, 3000.0}, random);
  candidate.skew.startSpread = oneOf(std::array{0.0, 30.0, 60.0, 120.0, 240.0}, random);
  candidate.splitting = kSplittings[random() % kSplittings.size()].splitting;
  return candidate;
}

void measure(Candidate& candidate, const RunOptions& options) {
  for (Workload workload : {synchronizedWorkload(), pipelinedWorkload(), sequentialWorkload()}) {
    for (WorkloadJob& job : workload.jobs) {
      job.splitting = candidate.splitting;
    }
    std::array<Statistics, kPolicies.size()> shares;
    for (std::uint32_t i = 0; i < options.seeds; ++i) {
      const Trace trace = generate(
          workload, {.scale = options.scaleFactor(), .seed = options.firstSeed + i, .skew = candidate.skew});
      for (std::size_t p = 0; p < kPolicies.size(); ++p) {
        shares[p].add(runPolicy(trace, kPolicies[p], {}).absorbedShare());
      }
    }
    for (const std::size_t p : {0, 2}) {
      const double paper = *paperRatioToLru(workload.name, kPolicies[p]);
      const double ratio = std::max(1e-3, shares[p].mean() / std::max(1e-6, shares[1].mean()));
      candidate.ratios.push_back(ratio);
      candidate.error += std::pow(std::log(ratio / paper), 2);
      const bool broken = (paper > 1.1 && ratio <= 1) || (paper < 0.9 && ratio >= 1);
      candidate.ordersBroken += broken ? 1 : 0;
    }
  }
}

bool isBetter(const Candidate& left, const Candidate& right) {
  return std::pair(left.ordersBroken, left.error) < std::pair(right.ordersBroken, right.error);
}

}  // namespace

void runCalibrate(const CalibrateOptions& options) {
  std::mt19937_64 random(options.firstSeed);
  std::vector<Candidate> candidates;
  for (std::uint32_t i = 0; i < options.points; ++i) {
    candidates.push_back(randomCandidate(random));
  }
  Progress progress(options.points);
  runParallel(candidates.size(), [&](std::size_t i) {
    measure(candidates[i], options);
    progress.advance(1);
  });
  std::ranges::sort(candidates, isBetter);
  if (!options.json) {
    fmt::print("{:>6} {:>7} {:>6} {:>6} {:>7} {:>6} {:>7} {:>11}  {}\n", "error", "orders", "jobs", "drift",
               "reader", "memory", "starts", "splits", "FIFO/LRU and Historic/LRU by workload");
  }
  for (const Candidate& candidate : candidates) {
    const Skew& skew = candidate.skew;
    const std::string_view splitting =
        std::ranges::find(kSplittings, candidate.splitting, &NamedSplitting::splitting)->name;
    if (options.json) {
      JsonLine()
          .add("error", candidate.error)
          .add("orders_broken", static_cast<std::uint64_t>(candidate.ordersBroken))
          .add("job_spread", skew.jobSpread)
          .add("drift", skew.drift)
          .add("reader_drift", skew.readerDrift)
          .add("drift_seconds", skew.driftSeconds)
          .add("start_spread", skew.startSpread)
          .add("splitting", splitting)
          .print();
    } else {
      fmt::print("{:>6.3f} {:>7} {:>6.2f} {:>6.2f} {:>7.2f} {:>6.0f} {:>7.0f} {:>11} ", candidate.error,
                 candidate.ordersBroken, skew.jobSpread, skew.drift, skew.readerDrift, skew.driftSeconds,
                 skew.startSpread, splitting);
      for (const double ratio : candidate.ratios) {
        fmt::print(" {:>5.2f}", ratio);
      }
      fmt::print("\n");
    }
  }
}

}  // namespace shift::sim
