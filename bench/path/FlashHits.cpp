#include <string>

#include "bench/engine/EngineRig.h"
#include "bench/path/BareLoop.h"
#include "bench/path/Field.h"
#include "bench/path/Load.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

constexpr std::size_t kItems = 2048;
constexpr std::size_t kItemBytes = kMiB;
constexpr std::size_t kThreadCounts[] = {4, 8};
constexpr std::uint32_t kSegment = 256 * kKiB;
constexpr std::uint32_t kSegmentsPerItem = kItemBytes / kSegment;
constexpr std::uint32_t kSegmentsPerBlock = 288;  // 72 MiB, as nodes have it
constexpr std::uint64_t kFlash = 3 * kGiB;
constexpr std::uint64_t kDram = 64 * kMiB;  // of both: next to nothing is a hit in memory

node::FlashEngineConfig engineConfig(const PathOptions& options) {
  node::FlashEngineConfig config;
  config.files = {{options.directory + "/engine.cache", kFlash}};
  config.dramBytes = kDram;
  config.segmentSize = kSegment;
  return config;
}

std::unique_ptr<ShiftTier> startNodeOnFlash(const PathOptions& options, const Dataset& dataset) {
  ShiftTierConfig config;
  config.binaries = options.binaries;
  config.directory = options.directory + "/shift";
  config.nodeSettings = {"cache.dram=" + std::to_string(kDram),
                         "cache.flash_files=" + options.directory + "/node.cache",
                         "cache.flash=" + std::to_string(kFlash)};
  return std::make_unique<ShiftTier>(config, dataset);
}

std::vector<std::unique_ptr<Session>> connect(Contestant& contestant, std::size_t threads) {
  std::vector<std::unique_ptr<Session>> sessions;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    sessions.push_back(contestant.connect());
  }
  return sessions;
}

}  // namespace

void measureFlashHits(BenchReport& report, const PathOptions& options) {
  const Dataset dataset(options.directory + "/store", kItems, kItemBytes);
  const std::unique_ptr<ShiftTier> shift = startNodeOnFlash(options, dataset);
  const std::unique_ptr<BareLoop> bare = BareLoop::fromDisk(dataset);
  checkEveryByte(shift->name(), *shift->connect(), dataset);
  checkEveryByte(bare->name(), *bare->connect(), dataset);
  EngineRig engine(engineConfig(options));
  constexpr std::uint64_t kSegments = kItems * kSegmentsPerItem;
  engine.insert(kSegments, kSegment, kSegmentsPerBlock);

  for (const std::size_t threads : kThreadCounts) {
    Turns ours, loops, alone;
    const auto sessions = connect(*shift, threads);
    const auto bareSessions = connect(*bare, threads);
    interleave(options.rounds, 3, [&](std::size_t i) {
      if (i == 0) {
        ours.add(readAtRandom(*shift, sessions, dataset, options.seconds));
      } else if (i == 1) {
        loops.add(readAtRandom(*bare, bareSessions, dataset, options.seconds));
      } else {
        // As many segments under way as the threads' reads have.
        const auto depth = static_cast<std::uint32_t>(threads) * kSegmentsPerItem;
        const Throughput read = engine.readFor(options.seconds, depth, kSegments);
        alone.add({read.bytesPerSecond / static_cast<double>(kMiB), read.cpuSecondsPerGiB});
      }
    });
    const std::string what = "flash hits, 1 MiB, " + std::to_string(threads) + " threads";
    report.compare(what, "MiB/s", ours.throughput, "engine alone", alone.throughput, Goal::atLeast(0.85));
    report.compare(what, "MiB/s", ours.throughput, bare->name(), loops.throughput, Goal::atLeast(0.85));
    report.compare(what + ": CPU", "s/GiB", ours.cpu, "engine alone", alone.cpu);
    report.compare(what + ": CPU", "s/GiB", ours.cpu, bare->name(), loops.cpu);
  }
  requireFromNode(*shift);
}

}  // namespace shift::bench
