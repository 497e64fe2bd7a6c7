#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/sim/Commands.h"
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
    nlohmann::ordered_json row;
    row["case"] = stressed.name;
    for (const std::string_view policy : kShown) {
      row[std::string(policy)] = shares.at(policy).mean();
    }
    row["best_of_paper"] = best;
    row["planned_to_best"] = planned / best;
    row["planned_to_belady"] = ofBelady;
    row["holds"] = holds;
    fmt::print("{}\n", row.dump());
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

void runStress(const CommonOptions& options, const std::string& only) {
  if (!options.json) {
    fmt::print("{:<12}", "case");
    for (const std::string_view policy : kShown) {
      fmt::print(" {:>8}", policy);
    }
    fmt::print(" {:>8} {:>8}  {:<4}\n", "x best", "/belady", "holds");
  }
  const std::size_t count = stressCases(options.firstSeed).size();
  for (std::size_t c = 0; c < count; ++c) {
    std::map<std::string_view, Statistics> shares;
    const StressCase first = stressCases(options.firstSeed)[c];
    if (!only.empty() && first.name != only) {
      continue;
    }
    for (std::uint32_t i = 0; i < options.seeds; ++i) {
      const std::uint64_t seed = options.firstSeed + i;
      const Trace trace = generate(stressCases(seed)[c].workload,
                                   {.scale = options.scaleFactor(), .seed = seed, .skew = calibratedSkew()});
      for (const std::string_view policy : kShown) {
        shares[policy].add(runPolicy(trace, policy, {}).absorbedShare());
      }
    }
    print(first, shares, options.json);
  }
}

}  // namespace

void addStress(CLI::App& app) {
  CLI::App* command = app.add_subcommand("stress", "how the policies bear what goes wrong in practice");
  const auto options = std::make_shared<CommonOptions>();
  const auto only = std::make_shared<std::string>();
  options->addTo(*command, false);
  command->add_option("--case", *only, "run only this one");
  command->callback([options, only] { runStress(*options, *only); });
}

}  // namespace shift::sim
