#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "tools/sim/Commands.h"
#include "tools/sim/NodeModel.h"
#include "tools/sim/Statistics.h"

namespace shift::sim {

namespace {

struct Row {
  std::string name;
  std::string policy;
  bool reinsertion = false;
  Statistics hitRate;
  Statistics fills;
  Statistics writeRate;
  Statistics reinsertedShare;
};

void runTable4(const CommonOptions& options, double limitPerNode) {
  const double scale = options.scaleFactor();
  std::vector<Row> rows(3);
  rows[0].name = "hybrid";
  rows[0].policy = "hybrid";
  rows[1].name = "hybrid+reinsertion";
  rows[1].policy = "hybrid";
  rows[1].reinsertion = true;
  rows[2].name = "planned";
  rows[2].policy = "planned";
  for (std::uint32_t i = 0; i < options.seeds; ++i) {
    const Trace trace = generate(synchronizedWorkload(),
                                 {.scale = scale, .seed = options.firstSeed + i, .skew = calibratedSkew()});
    for (Row& row : rows) {
      control::Parameters parameters;
      parameters.policy = row.policy;
      parameters.reinsertion = row.reinsertion;
      parameters.writeLimit = static_cast<std::uint64_t>(limitPerNode * scale);
      const Outcome outcome = runNode(trace, parameters);
      row.hitRate.add(outcome.hitRate());
      row.fills.add(static_cast<double>(outcome.fetchedBytes) / scale);
      row.writeRate.add(static_cast<double>(outcome.writtenBytes) / outcome.seconds / scale);
      row.reinsertedShare.add(static_cast<double>(outcome.reinsertedBytes) /
                              static_cast<double>(std::max<std::uint64_t>(1, outcome.writtenBytes)));
    }
  }
  if (!options.json) {
    fmt::print("Synchronized, minimum threshold 1.1, write limit {:.0f} MB/s a node (scale {}, {} seeds)\n",
               limitPerNode / 1e6, options.scale, options.seeds);
    fmt::print("{:<20} {:>9} {:>9} {:>7} {:>10} {:>9} {:>7} {:>13} {:>11}\n", "policy", "hit rate",
               "x hybrid", "paper", "fills TB", "x hybrid", "paper", "written MB/s", "reinserted");
  }
  for (const Row& row : rows) {
    const double hits = row.hitRate.mean() / rows[0].hitRate.mean();
    const double fills = row.fills.mean() / rows[0].fills.mean();
    const bool inPaper = row.reinsertion;
    if (options.json) {
      nlohmann::ordered_json line;
      line["policy"] = row.name;
      line["hit_rate"] = row.hitRate.mean();
      line["hit_rate_ratio"] = hits;
      line["fill_bytes_ratio"] = fills;
      line["write_bytes_per_second"] = row.writeRate.mean();
      line["write_limit"] = limitPerNode;
      line["reinserted_share"] = row.reinsertedShare.mean();
      line["seeds"] = options.seeds;
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:<20} {:>9.4f} {:>9.2f} {:>7} {:>10.2f} {:>9.2f} {:>7} {:>13.1f} {:>10.0f}%\n", row.name,
                 row.hitRate.mean(), hits, inPaper ? "1.03" : "", row.fills.mean() / 1e12, fills,
                 inPaper ? "0.82" : "", row.writeRate.mean() / 1e6, 100 * row.reinsertedShare.mean());
    }
  }
}

}  // namespace

void addTable4(CLI::App& app) {
  CLI::App* command = app.add_subcommand("table4", "what reinsertion brings and costs");
  const auto options = std::make_shared<CommonOptions>();
  const auto limit = std::make_shared<double>(1000);
  options->addTo(*command, false);
  command->add_option("--limit", *limit, "flash writes, MB/s a node at scale 1")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->callback([options, limit] { runTable4(*options, *limit * 1e6); });
}

}  // namespace shift::sim
