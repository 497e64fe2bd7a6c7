#include "bench/path/Field.h"
#include "bench/path/Load.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

constexpr std::size_t kItems = 512;
constexpr std::size_t kItemBytes = kMiB;
constexpr std::size_t kThreads = 4;

}  // namespace

void measureDramHits(BenchReport& report, const PathOptions& options) {
  const Dataset dataset(options.directory + "/store", kItems, kItemBytes);
  const Field field(options, dataset);
  const std::vector<Contestant*> contestants = field.all();
  std::vector<Turns> turns(contestants.size());
  {
    std::vector<std::vector<std::unique_ptr<Session>>> sessions(contestants.size());
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      for (std::size_t thread = 0; thread < kThreads; ++thread) {
        sessions[i].push_back(contestants[i]->connect());
      }
    }
    interleave(options.rounds, contestants.size(), [&](std::size_t i) {
      turns[i].add(readAtRandom(*contestants[i], sessions[i], dataset, options.seconds));
    });
  }
  requireFromNode(*field.shift);
  requireFromNode(*field.unverified);

  const Turns& ours = turns[0];
  for (std::size_t i = 1; i < contestants.size(); ++i) {
    const bool isPeer = i >= contestants.size() - field.peers.size();
    std::optional<Goal> goal = isPeer ? std::optional(Goal::atLeast(1)) : std::nullopt;
    if (contestants[i] == field.bareLoop.get() || contestants[i] == field.bareLoopOverAll.get()) {
      goal = Goal::atLeast(0.85);
    }
    report.compare("DRAM hits, 1 MiB", "MiB/s", ours.throughput, contestants[i]->name(), turns[i].throughput,
                   goal);
  }
  for (std::size_t i = 1; i < contestants.size(); ++i) {
    const bool isPeer = i >= contestants.size() - field.peers.size();
    report.compare("DRAM hits, 1 MiB: CPU", "s/GiB", ours.cpu, contestants[i]->name(), turns[i].cpu,
                   isPeer ? std::optional(Goal::atMost(1)) : std::nullopt);
  }
}

}  // namespace shift::bench
