#include <fmt/format.h>

#include <functional>

#include "tools/plot/Svg.h"
#include "tools/sim/CacheLibModel.h"
#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/NodeModel.h"
#include "tools/sim/Parallel.h"
#include "tools/sim/Statistics.h"
#include "tools/sim/TextFile.h"

namespace shift::sim {

namespace {

/** What the paper's Figure 9 and its text say, Dynamic = 1; 0 = it does not say. */
struct PaperRow {
  double absorbed = 0;
  double written = 0;
  double fills = 0;
};

using Run = std::function<Outcome(const Trace&, double limit, std::uint64_t seed, const Meter&)>;

struct Contender {
  std::string name;
  PaperRow paper;
  Run run;
};

Run cacheLib(FlashAdmission admission) {
  return [admission](const Trace& trace, double limit, std::uint64_t seed, const Meter& meter) {
    return runCacheLib(trace, {.admission = admission, .bytesPerSecond = limit, .seed = seed}, meter);
  };
}

Run shift(const std::string& policy) {
  return [policy](const Trace& trace, double limit, std::uint64_t, const Meter& meter) {
    control::Parameters parameters;
    parameters.policy = policy;
    parameters.minAdmitThreshold = 0;  // so that the tuner alone is seen at work
    parameters.writeLimit = static_cast<std::uint64_t>(limit);
    return runNode(trace, parameters, {}, meter);
  };
}

std::vector<Contender> contenders() {
  return {{"dynamic", {1, 1, 1}, cacheLib(FlashAdmission::kDynamic)},
          {"rejectfirst", {1.51, 3.78, 0}, cacheLib(FlashAdmission::kRejectFirst)},
          {"admitall", {2.66, 10.38, 0}, cacheLib(FlashAdmission::kAll)},
          {"historic", {2.14, 1, 0.04}, shift("historic")},
          {"future", {3.07, 1, 0.04}, shift("future")},
          {"hybrid", {2.99, 1, 0.04}, shift("hybrid")},
          {"planned", {}, shift("planned")}};
}

struct Fig9Row {
  Statistics share;
  Statistics writeRate;
  Statistics fillRate;
};

std::string ratioOrBlank(double value) {
  return value > 0 ? fmt::format("{:.2f}", value) : "";
}

}  // namespace

void runFig9(const LimitedOptions& options) {
  const double limitPerNode = options.limit();
  const double scale = options.scaleFactor();
  const std::vector<Contender> all = contenders();
  Progress progress(static_cast<double>(options.seeds * all.size()));
  std::vector<Fig9Row> rows(all.size());
  for (std::uint32_t i = 0; i < options.seeds; ++i) {
    const std::uint64_t seed = options.firstSeed + i;
    const Trace trace =
        generate(synchronizedWorkload(), {.scale = scale, .seed = seed, .skew = calibratedSkew()});
    std::vector<Outcome> outcomes(all.size());
    runParallel(all.size(), [&](std::size_t c) {
      outcomes[c] = all[c].run(trace, limitPerNode * scale, seed, progress.meter(trace, 1));
    });
    for (std::size_t c = 0; c < all.size(); ++c) {
      const Outcome& outcome = outcomes[c];
      rows[c].share.add(outcome.absorbedShare());
      rows[c].writeRate.add(static_cast<double>(outcome.writtenBytes) / outcome.seconds / scale);
      rows[c].fillRate.add(static_cast<double>(outcome.fetchedBytes) / outcome.seconds / scale);
    }
  }
  if (!options.json) {
    fmt::print(
        "Synchronized under a write limit of {:.0f} MB/s a node (scale {}, {} seeds); ratios to dynamic\n",
        limitPerNode / 1e6, options.scale, options.seeds);
    fmt::print("{:<12} {:>8} {:>8} {:>8} {:>12} {:>8} {:>8} {:>12} {:>8} {:>8}\n", "policy", "share", "x dyn",
               "paper", "written MB/s", "x dyn", "paper", "fills MB/s", "x dyn", "paper");
  }
  tools::BarChart chart{.title = "Synchronized under a write limit, Dynamic = 1",
                        .yLabel = "ratio to Dynamic",
                        .series = {"IO absorbed", "flash writes", "cache fills"},
                        .groups = {}};
  for (std::size_t c = 0; c < all.size(); ++c) {
    const double absorbed = rows[c].share.mean() / rows[0].share.mean();
    const double written = rows[c].writeRate.mean() / rows[0].writeRate.mean();
    const double fills = rows[c].fillRate.mean() / rows[0].fillRate.mean();
    chart.groups.push_back({all[c].name, {absorbed, written, fills}});
    if (options.json) {
      JsonLine()
          .add("policy", all[c].name)
          .add("absorbed_share", rows[c].share.mean())
          .add("spread", rows[c].share.spread())
          .add("absorbed_ratio", absorbed)
          .add("write_bytes_per_second", rows[c].writeRate.mean())
          .add("write_ratio", written)
          .add("write_limit", limitPerNode)
          .add("fill_bytes_per_second", rows[c].fillRate.mean())
          .add("fill_ratio", fills)
          .add("seeds", std::uint64_t{options.seeds})
          .print();
    } else {
      fmt::print("{:<12} {:>8.4f} {:>8.2f} {:>8} {:>12.1f} {:>8.2f} {:>8} {:>12.1f} {:>8.2f} {:>8}\n",
                 all[c].name, rows[c].share.mean(), absorbed, ratioOrBlank(all[c].paper.absorbed),
                 rows[c].writeRate.mean() / 1e6, written, ratioOrBlank(all[c].paper.written),
                 rows[c].fillRate.mean() / 1e6, fills, ratioOrBlank(all[c].paper.fills));
    }
  }
  if (!options.plot.empty()) {
    writeTextFile(options.plot, tools::toSvg(chart));
  }
}

}  // namespace shift::sim
