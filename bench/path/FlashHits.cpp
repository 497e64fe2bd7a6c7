#include "bench/engine/EngineRig.h"
#include "bench/path/Field.h"
#include "bench/path/Load.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

constexpr std::size_t kItems = 2048;
constexpr std::size_t kItemBytes = kMiB;
constexpr std::size_t kThreads = 4;
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

}  // namespace

void measureFlashHits(BenchReport& report, const PathOptions& options) {
  const Dataset dataset(options.directory + "/store", kItems, kItemBytes);
  const std::unique_ptr<ShiftTier> shift = startNodeOnFlash(options, dataset);
  checkEveryByte(shift->name(), *shift->connect(), dataset);
  EngineRig engine(engineConfig(options));
  constexpr std::uint64_t kSegments = kItems * kSegmentsPerItem;
  engine.insert(kSegments, kSegment, kSegmentsPerBlock);

  Turns ours, alone;
  std::vector<std::unique_ptr<Session>> sessions;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    sessions.push_back(shift->connect());
  }
  interleave(options.rounds, 2, [&](std::size_t i) {
    if (i == 0) {
      ours.add(readAtRandom(*shift, sessions, dataset, options.seconds));
    } else {
      // As many segments under way as the threads' reads have.
      const Throughput read = engine.readFor(options.seconds, kThreads * kSegmentsPerItem, kSegments);
      alone.add({read.bytesPerSecond / static_cast<double>(kMiB), read.cpuSecondsPerGiB});
    }
  });
  requireFromNode(*shift);
  report.compare("flash hits, 1 MiB", "MiB/s", ours.throughput, "engine alone", alone.throughput,
                 Goal::atLeast(0.85));
  report.compare("flash hits, 1 MiB: CPU", "s/GiB", ours.cpu, "engine alone", alone.cpu);
}

}  // namespace shift::bench
