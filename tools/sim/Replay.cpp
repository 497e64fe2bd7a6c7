#include <fmt/format.h>

#include <stdexcept>

#include "backing-store/DiskConfig.h"
#include "common/ByteSize.h"
#include "common/Duration.h"
#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/Policies.h"
#include "tools/sim/Recording.h"

namespace shift::sim {

namespace {

/** Every request that is not a hit costs one disk read, be it a fill or the client's own. */
double headSeconds(const Outcome& outcome) {
  const store::DiskConfig disk;
  return static_cast<double>(outcome.requests - outcome.hits) *
             std::chrono::duration<double>(disk.seek).count() +
         outcome.diskBytes() / static_cast<double>(disk.bytesPerSecond);
}

}  // namespace

void runReplay(const ReplayOptions& options) {
  const Result<std::uint64_t> cache = parseByteSize(options.cache);  // the command line has checked it
  const Trace trace = readRecording(options.file, {.cacheBytes = static_cast<double>(*cache)});
  if (trace.events.empty()) {
    throw std::runtime_error(options.file + " holds no reads");
  }
  control::Parameters parameters;
  parameters.bucketRefreshTime = *parseDuration(options.refresh);  // checked as well
  parameters.minAdmitThreshold = options.minThreshold;
  std::vector<std::string> policies = options.policies;
  if (policies.empty()) {
    // Without specs `future` knows nobody, and `hybrid` is `historic`.
    policies = {"fifo", "lru", "historic", "planned", "belady"};
  }
  if (!options.json) {
    fmt::print("{} reads of {} in {} blocks, cache {}\n", trace.events.size(), options.file,
               trace.blocks.size(), formatByteSize(static_cast<double>(*cache)));
    fmt::print("{:<10} {:>14} {:>10} {:>10} {:>12} {:>14}\n", "policy", "absorbed", "share", "hit rate",
               "head seconds", "flash written");
  }
  for (const std::string& policy : policies) {
    const Outcome outcome = runPolicy(trace, policy, parameters);
    if (options.json) {
      JsonLine()
          .add("policy", policy)
          .add("cache_bytes", *cache)
          .add("requests", outcome.requests)
          .add("hits", outcome.hits)
          .add("served_bytes", outcome.servedBytes)
          .add("fetched_bytes", outcome.fetchedBytes)
          .add("absorbed_bytes", outcome.absorbedBytes())
          .add("absorbed_share", outcome.absorbedShare())
          .add("hit_rate", outcome.hitRate())
          .add("disk_head_seconds", headSeconds(outcome))
          .add("written_bytes", outcome.writtenBytes)
          .print();
    } else {
      fmt::print("{:<10} {:>11.2f} MB {:>10.4f} {:>10.4f} {:>12.2f} {:>11.1f} MB\n", policy,
                 outcome.absorbedBytes() / 1e6, outcome.absorbedShare(), outcome.hitRate(),
                 headSeconds(outcome), static_cast<double>(outcome.writtenBytes) / 1e6);
    }
  }
}

}  // namespace shift::sim
