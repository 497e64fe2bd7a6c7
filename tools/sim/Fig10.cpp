#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "tools/plot/Svg.h"
#include "tools/sim/CacheLibModel.h"
#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/NodeModel.h"
#include "tools/sim/Parallel.h"
#include "tools/sim/ProductionMix.h"
#include "tools/sim/Statistics.h"
#include "tools/sim/TextFile.h"

namespace shift::sim {

namespace {

/** The paper's Table 1: power for 100 PB or for 10 TB/s, in units of what disks need to store 100 PB. */
constexpr double kTablePower100PB = 100e15;
constexpr double kTablePower10TBs = 10e12;
constexpr double kDiskReadUnits = 9.92;
constexpr double kFlashStoreUnits = 6.53;
constexpr double kDiskBytesPerSecondPerUnit = kTablePower10TBs / kDiskReadUnits;
constexpr double kFlashBytesPerUnit = kTablePower100PB / kFlashStoreUnits;

/** What the flash has to absorb so that the disks it spares take as much power as it does itself. */
double neutralBytesPerSecond() {
  return ProductionMix::kFlashBytes / kFlashBytesPerUnit * kDiskBytesPerSecondPerUnit;
}

/** Disks have to be enough for the bytes stored and for the bytes read. */
double diskPower(double bytesPerSecond) {
  return std::max(ProductionMix::kStoredBytes / kTablePower100PB,
                  bytesPerSecond / kDiskBytesPerSecondPerUnit);
}

/** Share of the power of disks alone. */
double powerSaved(double readBytesPerSecond, double absorbedBytesPerSecond) {
  const double flash = ProductionMix::kFlashBytes / kFlashBytesPerUnit;
  return 1 - (diskPower(readBytesPerSecond - absorbedBytesPerSecond) + flash) / diskPower(readBytesPerSecond);
}

/** How many of the most read tables an expert might put on the list; the best is taken. */
constexpr std::array<std::uint32_t, 6> kListLengths = {1, 2, 4, 8, 16, 32};

struct Fig10Row {
  std::string name;
  std::optional<double> paperNeutral;
  std::optional<double> paperSaved;
  Statistics share;
  Statistics absorbed;  // bytes a second, as at scale 1, like the rest
  Statistics read;
  Statistics written;
  std::vector<double> perPeriod;  // sum over seeds

  void add(const Outcome& outcome, double scale) {
    share.add(outcome.absorbedShare());
    absorbed.add(outcome.absorbedBytes() / outcome.seconds / scale);
    read.add(static_cast<double>(outcome.readBytes) / outcome.seconds / scale);
    written.add(static_cast<double>(outcome.writtenBytes) / outcome.seconds / scale);
    perPeriod.resize(std::max(perPeriod.size(), outcome.absorbedPerPeriod.size()));
    for (std::size_t i = 0; i < outcome.absorbedPerPeriod.size(); ++i) {
      perPeriod[i] += outcome.absorbedPerPeriod[i] / Outcome::kPeriodSeconds / scale;
    }
  }
  double timesNeutral() const { return absorbed.mean() / neutralBytesPerSecond(); }
  double saved() const { return powerSaved(read.mean(), absorbed.mean()); }
};

Outcome runShift(const Trace& trace, const std::string& policy, double limit, double minimum,
                 const Meter& meter) {
  control::Parameters parameters;
  parameters.policy = policy;
  parameters.minAdmitThreshold = minimum;
  parameters.writeLimit = static_cast<std::uint64_t>(limit);
  return runNode(trace, parameters, {}, meter);
}

class Fig10 {
 public:
  explicit Fig10(const LimitedOptions& options)
      : options_(options), progress_(static_cast<double>(options.seeds) * (3 + kListLengths.size())) {
    rows_.push_back({.name = "admitall", .paperNeutral = 0.0, .paperSaved = {}});
    rows_.push_back({.name = "expert", .paperNeutral = 0.21, .paperSaved = {}});
    rows_.push_back({.name = "hybrid", .paperNeutral = {}, .paperSaved = 0.29});
    rows_.push_back({.name = "planned", .paperNeutral = {}, .paperSaved = {}});
  }

  void run() {
    for (std::uint32_t i = 0; i < options_.seeds; ++i) {
      measure(options_.firstSeed + i);
    }
    options_.json ? printJson() : printTable();
    if (!options_.plot.empty()) {
      writeTextFile(options_.plot, tools::toSvg(chart()));
    }
  }

 private:
  void measure(std::uint64_t seed) {
    const double scale = options_.scaleFactor();
    const double limit = options_.limit() * scale;
    const Workload workload = productionWorkload(seed);
    const Trace trace = generate(workload, {.scale = scale, .seed = seed, .skew = calibratedSkew()});
    std::array<Outcome, 3> others;
    std::array<Outcome, kListLengths.size()> lists;
    runParallel(others.size() + lists.size(), [&](std::size_t i) {
      const Meter meter = progress_.meter(trace, 1);
      if (i == 0) {
        others[0] = runShift(trace, "planned", limit, 0, meter);
      } else if (i == 1) {
        others[1] = runShift(trace, "hybrid", limit, 3, meter);
      } else if (i == 2) {
        others[2] = runCacheLib(trace, {}, meter);
      } else {
        lists[i - 3] = runCacheLib(trace,
                                   {.admission = FlashAdmission::kDynamic,
                                    .bytesPerSecond = limit,
                                    .seed = seed,
                                    .eligible = blocksOfTopTables(trace, kListLengths[i - 3])},
                                   meter);
      }
    });
    const auto best = std::ranges::max_element(lists, {}, &Outcome::absorbedBytes);
    listLength_.add(kListLengths[static_cast<std::size_t>(best - lists.begin())]);
    rows_[0].add(others[2], scale);
    rows_[1].add(*best, scale);
    rows_[2].add(others[1], scale);
    rows_[3].add(others[0], scale);
  }

  void printTable() const {
    fmt::print(
        "A production-like mix of {} tables over nine hours (scale {}, one node, {} seeds), write limit "
        "{:.0f} "
        "MB/s\n",
        ProductionMix::kTables, options_.scale, options_.seeds, options_.limit() / 1e6);
    fmt::print(
        "Power-neutral point = flash / (100 PB / {}) x (10 TB/s / {}) = {:.0f} MB/s for {:.1f} TB of flash.\n"
        "Power saved = 1 - (power of disks for what is left + power of flash) / power of disks alone, where\n"
        "disks take max(stored / 100 PB, reads / (10 TB/s / {})) units (the paper's Table 1).\n",
        kFlashStoreUnits, kDiskReadUnits, neutralBytesPerSecond() / 1e6, ProductionMix::kFlashBytes / 1e12,
        kDiskReadUnits);
    fmt::print("{:<10} {:>8} {:>8} {:>13} {:>10} {:>7} {:>12} {:>7} {:>13}\n", "policy", "share", "spread",
               "absorbed MB/s", "x neutral", "paper", "power saved", "paper", "written MB/s");
    for (const Fig10Row& row : rows_) {
      fmt::print("{:<10} {:>8.4f} {:>8.4f} {:>13.1f} {:>10.2f} {:>7} {:>11.1f}% {:>7} {:>13.1f}\n", row.name,
                 row.share.mean(), row.share.spread(), row.absorbed.mean() / 1e6, row.timesNeutral(),
                 row.paperNeutral ? fmt::format("{:.2f}", *row.paperNeutral) : "", 100 * row.saved(),
                 row.paperSaved ? fmt::format("{:.0f}%", 100 * *row.paperSaved) : "",
                 row.written.mean() / 1e6);
    }
    fmt::print(
        "Reads: {:.2f} GB/s a node. The expert's list is the best of 1 to 32 of the most read tables: {:.0f} "
        "of "
        "them.\n",
        rows_[0].read.mean() / 1e9, listLength_.mean());
  }

  void printJson() const {
    for (const Fig10Row& row : rows_) {
      JsonLine()
          .add("policy", row.name)
          .add("absorbed_share", row.share.mean())
          .add("spread", row.share.spread())
          .add("absorbed_bytes_per_second", row.absorbed.mean())
          .add("power_neutral_bytes_per_second", neutralBytesPerSecond())
          .add("ratio_to_neutral", row.timesNeutral())
          .add("paper_ratio_to_neutral", row.paperNeutral)
          .add("power_saved", row.saved())
          .add("paper_power_saved", row.paperSaved)
          .add("write_bytes_per_second", row.written.mean())
          .add("write_limit", options_.limit())
          .add("seeds", std::uint64_t{options_.seeds})
          .print();
    }
  }

  tools::LineChart chart() const {
    tools::LineChart chart{.title = "IO absorbed over nine hours, power-neutral = 1",
                           .xLabel = "hours",
                           .yLabel = "ratio to power-neutral",
                           .lines = {}};
    for (const Fig10Row& row : rows_) {
      tools::LineChart::Line line{row.name, {}};
      for (std::size_t i = 0; i < row.perPeriod.size(); ++i) {
        line.points.emplace_back(static_cast<double>(i + 1) * Outcome::kPeriodSeconds / 3600,
                                 row.perPeriod[i] / options_.seeds / neutralBytesPerSecond());
      }
      chart.lines.push_back(std::move(line));
    }
    return chart;
  }

  const LimitedOptions& options_;
  Progress progress_;
  std::vector<Fig10Row> rows_;
  Statistics listLength_;
};

}  // namespace

void runFig10(const LimitedOptions& options) {
  Fig10(options).run();
}

}  // namespace shift::sim
