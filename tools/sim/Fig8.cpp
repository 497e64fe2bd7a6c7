#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "tools/plot/Svg.h"
#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/PaperFigures.h"
#include "tools/sim/Parallel.h"
#include "tools/sim/Policies.h"
#include "tools/sim/Statistics.h"
#include "tools/sim/TextFile.h"

namespace shift::sim {

namespace {

/** A ratio further from the paper's than this is explained. */
constexpr double kDeparture = 0.2;
/** Policies that the paper has further apart than this should come out in its order. */
constexpr double kOrderMatters = 1.1;

struct Cell {
  Statistics share;
  Statistics absorbed;
  Statistics writesPerAbsorbed;
};

class Fig8 {
 public:
  explicit Fig8(const Fig8Options& options) : options_(options), progress_(totalWork()) {}

  void run() {
    chart_.title = "Share of all bytes read that the cache absorbed";
    chart_.yLabel = "absorbed share";
    for (const std::string_view policy : policyNames()) {
      chart_.series.emplace_back(policy);
    }
    for (const Workload& workload : workloads()) {
      measure(workload);
    }
    if (!options_.plot.empty()) {
      writeTextFile(options_.plot, tools::toSvg(chart_));
    }
  }

 private:
  std::vector<Workload> workloads() const {
    std::vector<Workload> all = {synchronizedWorkload(), pipelinedWorkload(), sequentialWorkload()};
    if (options_.order == "listed") {
      std::ranges::for_each(all, readInListedOrder);
    }
    return all;
  }

  /** In bytes read by jobs: a policy's run over a trace takes about as long as that is large. */
  double totalWork() const {
    double bytes = 0;
    for (const Workload& workload : workloads()) {
      bytes += bytesRead(workload);
    }
    return bytes * static_cast<double>(options_.seeds * policyNames().size());
  }

  void measure(const Workload& workload) {
    std::map<std::string_view, Cell> cells;
    for (std::uint32_t i = 0; i < options_.seeds; ++i) {
      const Trace trace =
          generate(workload, {.scale = options_.scaleFactor(),
                              .seed = options_.firstSeed + i,
                              .skew = options_.order == "listed" ? listedSkew() : calibratedSkew()});
      std::vector<Outcome> outcomes(policyNames().size());
      runParallel(outcomes.size(), [&](std::size_t p) {
        outcomes[p] = runPolicy(trace, policyNames()[p], {}, progress_.meter(trace, bytesRead(workload)));
      });
      for (std::size_t p = 0; p < outcomes.size(); ++p) {
        const Outcome& outcome = outcomes[p];
        Cell& cell = cells[policyNames()[p]];
        cell.share.add(outcome.absorbedShare());
        cell.absorbed.add(outcome.absorbedBytes());
        cell.writesPerAbsorbed.add(static_cast<double>(outcome.writtenBytes) /
                                   std::max(1.0, outcome.absorbedBytes()));
      }
    }
    print(workload, cells);
    tools::BarChart::Group group{.name = workload.name, .heights = {}};
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
      const std::optional<double> paper = paperRatioToLru(workload.name, policy);
      if (options_.json) {
        JsonLine()
            .add("workload", workload.name)
            .add("policy", policy)
            .add("absorbed_share", cell.share.mean())
            .add("spread", cell.share.spread())
            .add("ratio_to_lru", ratio)
            .add("paper_ratio", paper)
            .add("seeds", std::uint64_t{options_.seeds})
            .add("absorbed_bytes", cell.absorbed.mean())
            .add("written_per_absorbed", cell.writesPerAbsorbed.mean())
            .add("assumption", departs(ratio, paper) ? assumptionBehind(workload.name, options_.order) : "")
            .print();
      } else {
        fmt::print("{:<10} {:>11.1f} GB {:>8.4f} {:>8.4f} {:>8.2f} {:>8} {:>16.2f}\n", policy,
                   cell.absorbed.mean() / 1e9, cell.share.mean(), cell.share.spread(), ratio,
                   paper ? fmt::format("{:.2f}", *paper) : "", cell.writesPerAbsorbed.mean());
      }
    }
    if (!options_.json) {
      printDepartures(workload, cells);
    }
    std::fflush(stdout);
  }

  static bool departs(double ratio, std::optional<double> paper) {
    return paper && std::abs(ratio / *paper - 1) > kDeparture;
  }

  /** Ratios far from the paper's, orders that are not the paper's, and why. */
  void printDepartures(const Workload& workload, std::map<std::string_view, Cell>& cells) const {
    const double lru = cells["lru"].share.mean();
    std::string found;
    for (const auto& [policy, cell] : cells) {
      const std::optional<double> paper = paperRatioToLru(workload.name, policy);
      if (departs(cell.share.mean() / lru, paper)) {
        found += fmt::format("  {} is at {:.2f} x LRU, the paper's at {:.2f}\n", policy,
                             cell.share.mean() / lru, *paper);
      }
      for (const auto& [other, otherCell] : cells) {
        const std::optional<double> otherPaper = paperRatioToLru(workload.name, other);
        if (paper && otherPaper && *paper > kOrderMatters * *otherPaper &&
            cell.share.mean() <= otherCell.share.mean()) {
          found += fmt::format("  {} is not above {}, as it is in the paper\n", policy, other);
        }
      }
    }
    if (!found.empty()) {
      fmt::print("Departs from the paper:\n{}  Assumption behind it: {}.\n", found,
                 assumptionBehind(workload.name, options_.order));
    }
  }

  const Fig8Options& options_;
  Progress progress_;
  tools::BarChart chart_;
};

}  // namespace

void runFig8(const Fig8Options& options) {
  Fig8(options).run();
}

}  // namespace shift::sim
