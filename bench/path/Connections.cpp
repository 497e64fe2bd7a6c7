#include "bench/path/Field.h"
#include "bench/path/Load.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

constexpr std::size_t kItems = 1024;
constexpr std::size_t kItemBytes = 256 * kKiB;
constexpr std::size_t kCounts[] = {1, 10, 1000};
/** A client keeps no more connections than this when they are idle. */
constexpr std::size_t kThreadsPerClient = 50;
constexpr double kGrowth = 1.2;

}  // namespace

void measureConnections(BenchReport& report, const PathOptions& options) {
  const Dataset dataset(options.directory + "/store", kItems, kItemBytes);
  ShiftTierConfig config;
  config.binaries = options.binaries;
  config.directory = options.directory + "/shift";
  config.nodeSettings = {"cache.dram=" + std::to_string(2 * dataset.bytes())};
  // Answers queue behind a thousand others: that is what is measured, not how soon a client gives up.
  config.client.hedgeShare = 0;
  config.client.getDeadline = std::chrono::minutes(1);
  ShiftTier shift(config, dataset);
  checkEveryByte(shift.name(), *shift.connect(), dataset);

  std::vector<std::vector<std::unique_ptr<Session>>> sessions(std::size(kCounts));
  for (std::size_t i = 0; i < std::size(kCounts); ++i) {
    for (std::size_t thread = 0; thread < kCounts[i]; ++thread) {
      if (thread % kThreadsPerClient == 0) {
        shift.useNewClient();
      }
      sessions[i].push_back(shift.connect());
    }
  }
  std::vector<Turns> turns(std::size(kCounts));
  interleave(options.rounds, std::size(kCounts), [&](std::size_t i) {
    turns[i].add(readAtRandom(shift, sessions[i], dataset, options.seconds));
  });
  requireFromNode(shift);
  for (std::size_t i = 1; i < std::size(kCounts); ++i) {
    const std::string name = std::to_string(kCounts[i]) + " connections, 256 KiB";
    report.compare(name + ": CPU", "s/GiB", turns[i].cpu, "1 connection", turns[0].cpu,
                   Goal::atMost(kGrowth));
    report.compare(name, "MiB/s", turns[i].throughput, "1 connection", turns[0].throughput);
  }
}

}  // namespace shift::bench
