#include <fmt/format.h>

#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/NodeModel.h"
#include "tools/sim/Parallel.h"
#include "tools/sim/Statistics.h"

namespace shift::sim {

namespace {

struct Table4Row {
  std::string name;
  std::string policy;
  bool reinsertion = false;
  Statistics hitRate;
  Statistics fills;
  Statistics writeRate;
  Statistics reinsertedShare;
};

}  // namespace

void runTable4(const LimitedOptions& options) {
  const double limitPerNode = options.limit();
  const double scale = options.scaleFactor();
  std::vector<Table4Row> rows(3);
  rows[0].name = "hybrid";
  rows[0].policy = "hybrid";
  rows[1].name = "hybrid+reinsertion";
  rows[1].policy = "hybrid";
  rows[1].reinsertion = true;
  rows[2].name = "planned";
  rows[2].policy = "planned";
  Progress progress(static_cast<double>(options.seeds * rows.size()));
  for (std::uint32_t i = 0; i < options.seeds; ++i) {
    const Trace trace = generate(synchronizedWorkload(),
                                 {.scale = scale, .seed = options.firstSeed + i, .skew = calibratedSkew()});
    runParallel(rows.size(), [&](std::size_t r) {
      Table4Row& row = rows[r];
      control::Parameters parameters;
      parameters.policy = row.policy;
      parameters.reinsertion = row.reinsertion;
      parameters.writeLimit = static_cast<std::uint64_t>(limitPerNode * scale);
      const Outcome outcome = runNode(trace, parameters, {}, progress.meter(trace, 1));
      row.hitRate.add(outcome.hitRate());
      row.fills.add(static_cast<double>(outcome.fetchedBytes) / scale);
      row.writeRate.add(static_cast<double>(outcome.writtenBytes) / outcome.seconds / scale);
      row.reinsertedShare.add(static_cast<double>(outcome.reinsertedBytes) /
                              static_cast<double>(std::max<std::uint64_t>(1, outcome.writtenBytes)));
    });
  }
  if (!options.json) {
    fmt::print("Synchronized, minimum threshold 1.1, write limit {:.0f} MB/s a node (scale {}, {} seeds)\n",
               limitPerNode / 1e6, options.scale, options.seeds);
    fmt::print("{:<20} {:>9} {:>9} {:>7} {:>10} {:>9} {:>7} {:>13} {:>11}\n", "policy", "hit rate",
               "x hybrid", "paper", "fills TB", "x hybrid", "paper", "written MB/s", "reinserted");
  }
  for (const Table4Row& row : rows) {
    const double hits = row.hitRate.mean() / rows[0].hitRate.mean();
    const double fills = row.fills.mean() / rows[0].fills.mean();
    const bool inPaper = row.reinsertion;
    if (options.json) {
      JsonLine()
          .add("policy", row.name)
          .add("hit_rate", row.hitRate.mean())
          .add("hit_rate_ratio", hits)
          .add("fill_bytes_ratio", fills)
          .add("write_bytes_per_second", row.writeRate.mean())
          .add("write_limit", limitPerNode)
          .add("reinserted_share", row.reinsertedShare.mean())
          .add("seeds", std::uint64_t{options.seeds})
          .print();
    } else {
      fmt::print("{:<20} {:>9.4f} {:>9.2f} {:>7} {:>10.2f} {:>9.2f} {:>7} {:>13.1f} {:>10.0f}%\n", row.name,
                 row.hitRate.mean(), hits, inPaper ? "1.03" : "", row.fills.mean() / 1e12, fills,
                 inPaper ? "0.82" : "", row.writeRate.mean() / 1e6, 100 * row.reinsertedShare.mean());
    }
  }
}

}  // namespace shift::sim
