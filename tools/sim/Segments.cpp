#include <fmt/format.h>

#include <array>
#include <random>

#include "blocks/Geometry.h"
#include "common/ByteSize.h"
#include "tools/plot/Svg.h"
#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/Parallel.h"
#include "tools/sim/Policies.h"
#include "tools/sim/Statistics.h"
#include "tools/sim/TextFile.h"

namespace shift::sim {

namespace {

constexpr std::array<std::uint64_t, 8> kSegmentSizes = {64 * kKiB, 128 * kKiB, 256 * kKiB, 512 * kKiB,
                                                        kMiB,      2 * kMiB,   4 * kMiB,   8 * kMiB};
/** Of the engine's index, as `bench engine` measures it for blocks of many segments. */
constexpr double kIndexBytesPerSegment = 25;
/** Of a file of 20 blocks: some 1.2 MiB each, and not aligned to anything. */
constexpr std::uint32_t kFeatures = 1200;
/** Share of the features that a job reads. They lie scattered, so most are reads of their own. */
constexpr double kRead = 0.4;

/** Six jobs, one after the other but overlapping, over two partitions of a table that is laid out by column.
 */
Workload columnWorkload(std::uint64_t seed) {
  std::mt19937_64 random(seed * 31 + 9);
  Workload workload;
  workload.name = "Columns";
  workload.nodes = 1;
  workload.partitions = equalPartitions(2, 3.84e12);
  workload.flashBytes = 1.2e12;
  workload.featuresPerFile = kFeatures;
  std::bernoulli_distribution popular(kRead);
  std::vector<bool> common(kFeatures);
  for (std::uint32_t i = 0; i < kFeatures; ++i) {
    common[i] = popular(random);
  }
  for (std::uint32_t j = 0; j < 6; ++j) {
    WorkloadJob job;
    job.name = "job-" + std::to_string(j + 1);
    job.partitions = {0, 1};
    job.startAfter = 60.0 * j;
    job.features = common;
    for (std::uint32_t i = 0; i < kFeatures; ++i) {
      if (random() % 10 == 0) {
        job.features[i] = popular(random);  // most jobs want much the same
      }
    }
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

struct SegmentRow {
  Statistics planned;
  Statistics lru;
  Statistics overFetch;
};

}  // namespace

void runSegments(const RunOptions& options) {
  std::array<SegmentRow, kSegmentSizes.size()> rows;
  Progress progress(static_cast<double>(options.seeds * rows.size() * 2));
  for (std::uint32_t i = 0; i < options.seeds; ++i) {
    const std::uint64_t seed = options.firstSeed + i;
    const Workload workload = columnWorkload(seed);
    std::array<Outcome, kSegmentSizes.size() * 2> outcomes;
    runParallel(rows.size(), [&](std::size_t s) {
      const Trace trace = generate(workload, {.scale = options.scaleFactor(),
                                              .seed = seed,
                                              .skew = calibratedSkew(),
                                              .segmentSize = static_cast<std::uint32_t>(kSegmentSizes[s]),
                                              .shrinkBlocks = false});
      outcomes[2 * s] = runPolicy(trace, "planned", {}, progress.meter(trace, 1));
      outcomes[2 * s + 1] = runPolicy(trace, "lru", {}, progress.meter(trace, 1));
    });
    for (std::size_t s = 0; s < rows.size(); ++s) {
      rows[s].planned.add(outcomes[2 * s].absorbedShare());
      rows[s].overFetch.add(outcomes[2 * s].overFetch());
      rows[s].lru.add(outcomes[2 * s + 1].absorbedShare());
    }
  }
  if (!options.json) {
    fmt::print(
        "Jobs read {:.0f} % of the columns of each file in reads of some 1.2 MiB (scale {}, {} seeds). "
        "Blocks are "
        "72 MiB at every scale.\n",
        100 * kRead, options.scale, options.seeds);
    fmt::print("{:>9} {:>11} {:>15} {:>11} {:>20}\n", "segment", "over-fetch", "planned, share", "LRU, share",
               "index, MB a TB held");
  }
  tools::BarChart chart{.title = "Share of bytes read that is absorbed, by segment size",
                        .yLabel = "absorbed share",
                        .series = {"planned", "LRU"},
                        .groups = {}};
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const SegmentRow& row = rows[s];
    const std::string name = formatByteSize(static_cast<double>(kSegmentSizes[s]));
    const double indexBytes = 1e12 / static_cast<double>(kSegmentSizes[s]) * kIndexBytesPerSegment;
    chart.groups.push_back({name, {row.planned.mean(), row.lru.mean()}});
    if (options.json) {
      JsonLine()
          .add("segment_bytes", kSegmentSizes[s])
          .add("over_fetch", row.overFetch.mean())
          .add("planned_absorbed_share", row.planned.mean())
          .add("lru_absorbed_share", row.lru.mean())
          .add("spread", row.planned.spread())
          .add("index_bytes_per_tb", indexBytes)
          .add("seeds", std::uint64_t{options.seeds})
          .print();
    } else {
      fmt::print("{:>9} {:>11.2f} {:>15.4f} {:>11.4f} {:>20.1f}\n", name, row.overFetch.mean(),
                 row.planned.mean(), row.lru.mean(), indexBytes / 1e6);
    }
  }
  if (!options.plot.empty()) {
    writeTextFile(options.plot, tools::toSvg(chart));
  }
}

}  // namespace shift::sim
