#include <algorithm>

#include "bench/path/Field.h"
#include "bench/path/Load.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

constexpr std::size_t kItems = 1024;
constexpr std::size_t kItemBytes = 256 * kKiB;

struct Quantile {
  const char* name;
  double share;
};
constexpr Quantile kQuantiles[] = {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}};

double microseconds(const Histogram& latencies, const Quantile& quantile) {
  return static_cast<double>(latencies.quantile(quantile.share)) / 1e3;
}

}  // namespace

void measureLatency(BenchReport& report, const PathOptions& options) {
  const Dataset dataset(options.directory + "/store", kItems, kItemBytes);
  const Field field(options, dataset);
  const std::vector<Contestant*> contestants = field.all();
  std::vector<Histogram> latencies(contestants.size());
  {
    std::vector<std::unique_ptr<Session>> sessions;
    for (Contestant* const contestant : contestants) {
      sessions.push_back(contestant->connect());
    }
    interleave(options.rounds, contestants.size(),
               [&](std::size_t i) { recordLatencies(*sessions[i], dataset, options.seconds, latencies[i]); });
  }
  requireFromNode(*field.shift);
  requireFromNode(*field.unverified);

  for (const Quantile& quantile : kQuantiles) {
    const std::string name = std::string("256 KiB, one thread, ") + quantile.name;
    const double ours = microseconds(latencies[0], quantile);
    for (std::size_t i = 1; i < contestants.size(); ++i) {
      report.compare(name, "us", {ours}, contestants[i]->name(), {microseconds(latencies[i], quantile)});
    }
  }
}

}  // namespace shift::bench
