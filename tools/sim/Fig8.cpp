#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/sim/Commands.h"
#include "tools/sim/Policies.h"
#include "tools/sim/Statistics.h"
#include "tools/sim/Svg.h"

namespace shift::sim {

namespace {

/** The paper's Figure 8, read off its text: IO absorbed, LRU = 1. */
double paperRatio(std::string_view workload, std::string_view policy) {
  static const std::map<std::string_view, std::map<std::string_view, double>> ratios = {
      {"Synchronized", {{"fifo", 1.01}, {"lru", 1}, {"historic", 2.01}, {"future", 2.27}, {"hybrid", 2.32}}},
      {"Pipelined", {{"fifo", 1.86}, {"lru", 1}, {"historic", 0.80}, {"future", 5.84}, {"hybrid", 0.99}}},
      {"Sequential", {{"fifo", 1.06}, {"lru", 1}, {"historic", 1.71}, {"future", 1.74}, {"hybrid", 1.69}}},
  };
  const auto& row = ratios.at(workload);
  const auto entry = row.find(policy);
  return entry == row.end() ? 0 : entry->second;
}

struct Cell {
  Statistics share;
  Statistics absorbed;
  Statistics writesPerAbsorbed;
};

class Fig8 {
 public:
  explicit Fig8(const CommonOptions& options) : options_(options) {}

  void run() {
    chart_.title = "Share of all bytes read that the cache absorbed";
    chart_.yLabel = "absorbed share";
    for (const std::string_view policy : policyNames()) {
      chart_.series.emplace_back(policy);
    }
    for (const Workload& workload : {synchronizedWorkload(), pipelinedWorkload(), sequentialWorkload()}) {
      measure(workload);
    }
    if (!options_.plot.empty()) {
      writeTextFile(options_.plot, toSvg(chart_));
    }
  }

 private:
  void measure(const Workload& workload) {
    std::map<std::string_view, Cell> cells;
    for (std::uint32_t i = 0; i < options_.seeds; ++i) {
      const Trace trace = generate(
          workload,
          {.scale = options_.scaleFactor(), .seed = options_.firstSeed + i, .skew = calibratedSkew()});
      for (const std::string_view policy : policyNames()) {
        progress(workload, i, policy);
        const Outcome outcome = runPolicy(trace, policy, {});
        Cell& cell = cells[policy];
        cell.share.add(outcome.absorbedShare());
        cell.absorbed.add(outcome.absorbedBytes());
        cell.writesPerAbsorbed.add(static_cast<double>(outcome.writtenBytes) /
                                   std::max(1.0, outcome.absorbedBytes()));
      }
    }
    progressDone();
    print(workload, cells);
    BarChart::Group group{.name = workload.name, .heights = {}};
    for (const std::string_view policy : policyNames()) {
      group.heights.push_back(cells[policy].share.mean());
    }
    chart_.groups.push_back(std::move(group));
  }

  void print(const Workload& workload, std::map<std::string_view, Cell>& cells) const {
    const double lru = cells["lru"].share.mean();
    if (!options_.json) {
      fmt::print("\n{} (scale {}, one of {} nodes, {} seeds)\n", workload.name, options_.scale,
                 workload.nodes, options_.seeds);
      fmt::print("{:<10} {:>14} {:>8} {:>8} {:>8} {:>8} {:>16}\n", "policy", "absorbed", "share", "spread",
                 "x LRU", "paper", "written/absorbed");
    }
    for (const std::string_view policy : policyNames()) {
      const Cell& cell = cells[policy];
      const double ratio = lru > 0 ? cell.share.mean() / lru : 0;
      const double paper = paperRatio(workload.name, policy);
      if (options_.json) {
        nlohmann::ordered_json row;
        row["workload"] = workload.name;
        row["policy"] = policy;
        row["absorbed_share"] = cell.share.mean();
        row["spread"] = cell.share.spread();
        row["ratio_to_lru"] = ratio;
        row["paper_ratio"] = paper > 0 ? nlohmann::ordered_json(paper) : nlohmann::ordered_json();
        row["seeds"] = options_.seeds;
        row["absorbed_bytes"] = cell.absorbed.mean();
        row["written_per_absorbed"] = cell.writesPerAbsorbed.mean();
        fmt::print("{}\n", row.dump());
      } else {
        fmt::print("{:<10} {:>11.1f} GB {:>8.4f} {:>8.4f} {:>8.2f} {:>8} {:>16.2f}\n", policy,
                   cell.absorbed.mean() / 1e9, cell.share.mean(), cell.share.spread(), ratio,
                   paper > 0 ? fmt::format("{:.2f}", paper) : "", cell.writesPerAbsorbed.mean());
      }
    }
    std::fflush(stdout);
  }

  void progress(const Workload& workload, std::uint32_t seed, std::string_view policy) const {
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r{:<13} seed {}/{} {:<9}", workload.name, seed + 1, options_.seeds, policy);
    }
  }
  static void progressDone() {
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r{:40}\r", "");
    }
  }

  const CommonOptions& options_;
  BarChart chart_;
};

}  // namespace

void addFig8(CLI::App& app) {
  CLI::App* command = app.add_subcommand("fig8", "IO absorbed by each policy on the paper's three workloads");
  const auto options = std::make_shared<CommonOptions>();
  options->addTo(*command, true);
  command->callback([options] { Fig8(*options).run(); });
}

}  // namespace shift::sim
