#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "backing-store/DiskConfig.h"
#include "common/ByteSize.h"
#include "tools/sim/Commands.h"
#include "tools/sim/Policies.h"
#include "tools/sim/Recording.h"

namespace shift::sim {

namespace {

struct ReplayOptions {
  std::string file;
  std::vector<std::string> policies;
  std::string cache = "1GiB";
  bool json = false;
};

/** Every request that is not a hit costs one disk read, be it a fill or the client's own. */
double headSeconds(const Outcome& outcome) {
  const store::DiskConfig disk;
  return static_cast<double>(outcome.requests - outcome.hits) *
             std::chrono::duration<double>(disk.seek).count() +
         outcome.diskBytes() / static_cast<double>(disk.bytesPerSecond);
}

void runReplay(const ReplayOptions& options) {
  const Result<std::uint64_t> cache = parseByteSize(options.cache);
  if (!cache) {
    throw CLI::ValidationError("--cache", cache.error().message);
  }
  const Trace trace = readRecording(options.file, {.cacheBytes = static_cast<double>(*cache)});
  if (trace.events.empty()) {
    throw std::runtime_error(options.file + " holds no reads");
  }
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
    const Outcome outcome = runPolicy(trace, policy, {});
    if (options.json) {
      nlohmann::ordered_json row;
      row["policy"] = policy;
      row["cache_bytes"] = *cache;
      row["requests"] = outcome.requests;
      row["absorbed_bytes"] = outcome.absorbedBytes();
      row["absorbed_share"] = outcome.absorbedShare();
      row["hit_rate"] = outcome.hitRate();
      row["disk_head_seconds"] = headSeconds(outcome);
      row["written_bytes"] = outcome.writtenBytes;
      fmt::print("{}\n", row.dump());
    } else {
      fmt::print("{:<10} {:>11.2f} MB {:>10.4f} {:>10.4f} {:>12.2f} {:>11.1f} MB\n", policy,
                 outcome.absorbedBytes() / 1e6, outcome.absorbedShare(), outcome.hitRate(),
                 headSeconds(outcome), static_cast<double>(outcome.writtenBytes) / 1e6);
    }
  }
}

}  // namespace

void addReplay(CLI::App& app) {
  CLI::App* command = app.add_subcommand("replay", "what a policy would have made of a recorded trace");
  const auto options = std::make_shared<ReplayOptions>();
  command->add_option("file", options->file, "CSV with a line of column names")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--policy", options->policies, "may be given several times")
      ->check(CLI::IsMember({"fifo", "lru", "historic", "future", "hybrid", "planned", "belady"}));
  command->add_option("--cache", options->cache, "flash, as in 10GiB")->capture_default_str();
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback([options] { runReplay(*options); });
}

}  // namespace shift::sim
