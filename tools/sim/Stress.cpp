#include <fmt/format.h>

#include <array>
#include <map>

#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/Parallel.h"
#include "tools/sim/Policies.h"
#include "tools/sim/Statistics.h"
#include "tools/sim/StressCases.h"

namespace shift::sim {

namespace {

constexpr std::array<std::string_view, 6> kShown = {"lru",    "historic", "future",
                                                    "hybrid", "planned",  "belady"};

void print(const StressCase& stressed, const std::map<std::string_view, Statistics>& shares, bool json) {
  const double best =
      std::max({shares.at("historic").mean(), shares.at("future").mean(), shares.at("hybrid").mean()});
  const double planned = shares.at("planned").mean();
  const double ofBelady = planned / shares.at("belady").mean();
  const bool holds = planned >= best;
  if (json) {
    JsonLine line;
    line.add("case", stressed.name);
    for (const std::string_view policy : kShown) {
      line.add(policy, shares.at(policy).mean());
    }
    line.add("best_of_paper", best)
        .add("planned_to_best", planned / best)
        .add("planned_to_belady", ofBelady)
        .add("holds", holds)
        .print();
  } else {
    fmt::print("{:<12}", stressed.name);
    for (const std::string_view policy : kShown) {
      fmt::print(" {:>8.4f}", shares.at(policy).mean());
    }
    fmt::print(" {:>8.2f} {:>8.2f}  {:<4} {}\n", planned / best, ofBelady, holds ? "yes" : "NO",
               stressed.meaning);
  }
  std::fflush(stdout);
}

}  // namespace

void runStress(const StressOptions& options) {
  if (!options.json) {
    fmt::print("{:<12}", "case");
    for (const std::string_view policy : kShown) {
      fmt::print(" {:>8}", policy);
    }
    fmt::print(" {:>8} {:>8}  {:<4}\n", "x best", "/belady", "holds");
  }
  const std::size_t count = stressCases(options.firstSeed).size();
  Progress progress(static_cast<double>((options.only.empty() ? count : 1) * options.seeds * kShown.size()));
  for (std::size_t c = 0; c < count; ++c) {
    std::map<std::string_view, Statistics> shares;
    const StressCase first = stressCases(options.firstSeed)[c];
    if (!options.only.empty() && first.name != options.only) {
      continue;
    }
    for (std::uint32_t i = 0; i < options.seeds; ++i) {
      const std::uint64_t seed = options.firstSeed + i;
      const Trace trace = generate(stressCases(seed)[c].workload,
                                   {.scale = options.scaleFactor(), .seed = seed, .skew = calibratedSkew()});
      std::array<double, kShown.size()> absorbed{};
      runParallel(kShown.size(), [&](std::size_t p) {
        absorbed[p] = runPolicy(trace, kShown[p], {}, progress.meter(trace, 1)).absorbedShare();
      });
      for (std::size_t p = 0; p < kShown.size(); ++p) {
        shares[kShown[p]].add(absorbed[p]);
      }
    }
    print(first, shares, options.json);
  }
}

}  // namespace shift::sim
