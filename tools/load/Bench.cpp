#include "tools/load/Bench.h"

#include <fmt/format.h>

#include <memory>

#include "backing-store/DirectoryStore.h"
#include "backing-store/ModelledDisks.h"
#include "client-lib/Client.h"
#include "common/Counters.h"
#include "common/Waiter.h"
#include "tools/load/Dataset.h"
#include "tools/text/ProgressLine.h"

namespace shift::load {
namespace {

/** How far a load is, from 0 to 1, by whatever ends it. */
double doneShare(const LoadConfig& config, std::uint64_t bytesToRead, const LoadProgress& progress,
                 double seconds) {
  const auto share = [](double done, double whole) { return whole > 0 ? done / whole : 0; };
  return std::max({share(seconds, std::chrono::duration<double>(config.duration).count()),
                   share(static_cast<double>(progress.reads), static_cast<double>(config.reads)),
                   share(static_cast<double>(progress.bytes), static_cast<double>(bytesToRead))});
}

/** Writes a dataset if one is asked for and there is none. */
Status prepare(const BenchOptions& options, const std::string& root) {
  if (options.makeFiles == 0) {
    return {};
  }
  const Result<bool> made = makeDataset(root, options.makeFiles, options.fileSize);
  if (!made) {
    return made.error();
  }
  fmt::print(stderr, "{}\n",
             *made ? fmt::format("wrote {} files of {} below {}", options.makeFiles,
                                 formatByteSize(static_cast<double>(options.fileSize)), root)
                   : fmt::format("{} is not empty: what is there is read", root));
  return {};
}

LoadResult runWithProgress(const LoadConfig& load, const LoadParts& parts) {
  tools::ProgressLine line;
  const std::uint64_t bytesToRead = expectedBytes(load, parts.files);
  return runLoad(load, parts, [&](const LoadProgress& progress, double seconds) {
    const double bytes = static_cast<double>(progress.bytes);
    line.show(doneShare(load, bytesToRead, progress, seconds),
              fmt::format("{} reads, {}, {}/s", progress.reads.load(), formatByteSize(bytes),
                          formatByteSize(bytes / std::max(seconds, 1e-3))));
  });
}

/** Also asks, before and after, what client and nodes have counted. */
void runThroughTier(const LoadConfig& load, const LoadParts& parts, const client::Client& client,
                    const NodeTrafficReader& nodes, LoadReport& report) {
  const Result<NodeTrafficMark> before = nodes.mark();
  report.result = runWithProgress(load, parts);
  report.tier = client.stats();
  const Result<NodeTrafficMark> after = before ? nodes.mark() : before;
  const Result<NodeTraffic> traffic = after ? trafficBetween(*before, *after) : after.error();
  if (traffic) {
    report.nodes = *traffic;
  } else {
    report.nodesUnknown = traffic.error().message;
  }
}

DiskUse diskUseOf(std::uint32_t disks, const CounterRegistry& counters) {
  DiskUse use{.disks = disks};
  for (const CounterValue& counter : counters.snapshot()) {
    if (counter.name == "disk_reads_total") {
      use.reads = counter.value;
    } else if (counter.name == "disk_read_bytes_total") {
      use.bytes = counter.value;
    } else if (counter.name == "disk_head_nanoseconds_total") {
      use.headSeconds = static_cast<double>(counter.value) / 1e9;
    }
  }
  return use;
}

}  // namespace

std::string_view nameOf(PatternKind kind) {
  switch (kind) {
    case PatternKind::kSequential:
      return "sequential";
    case PatternKind::kColumns:
      return "columns";
    case PatternKind::kRandom:
      return "random";
    case PatternKind::kZipf:
      break;
  }
  return "zipf";
}

Result<LoadReport> runBench(const BenchOptions& options, const std::atomic<bool>& stop) {
  const Result<client::ClientConfig> config = client::loadClientConfig(options.configFile, options.overrides);
  if (!config) {
    return config.error();
  }
  if (const Status prepared = prepare(options, config->storeRoot); !prepared) {
    return prepared.error();
  }
  const SystemClock clock;
  const SystemWaiter waiter;
  CounterRegistry counters;
  // Two of them: what is compared with is read past the modelled disks.
  Result<std::unique_ptr<store::DirectoryStore>> opened =
      store::DirectoryStore::open(config->storeName, config->storeRoot);
  const Result<std::unique_ptr<store::DirectoryStore>> reference =
      store::DirectoryStore::open(config->storeName, config->storeRoot);
  if (!opened || !reference) {
    return opened ? reference.error() : opened.error();
  }
  const Result<std::unique_ptr<store::BackingStore>> onDisks =
      store::putOnDisks(*std::move(opened), {.disks = options.modelledDisks}, clock, waiter, counters);
  if (!onDisks) {
    return onDisks.error();
  }
  const store::BackingStore& store = **onDisks;
  const Result<std::unique_ptr<client::Client>> client = client::Client::create(*config, store, clock);
  const Result<std::vector<DataFile>> files = listDataset(**reference, config->storeRoot, options.paths);
  if (!client || !files) {
    return client ? files.error() : client.error();
  }
  const Result<NodeTrafficReader> nodes = NodeTrafficReader::create(*config, options.admins);
  if (!nodes) {
    return nodes.error();
  }

  LoadReport report{.pattern = std::string(nameOf(options.load.pattern.kind)),
                    .readers = options.load.readers,
                    .readsPerSecond = options.load.readsPerSecond,
                    .verified = options.verify};
  LoadParts parts{.files = *files,
                  .targets = {},
                  .reference = options.verify ? reference->get() : nullptr,
                  .clock = clock,
                  .waiter = waiter,
                  .stop = stop};
  for (std::uint32_t job = 0; job < options.load.jobs; ++job) {
    report.jobNames.push_back(fmt::format("{}-{}", options.jobName, job));
    if (options.direct) {
      parts.targets.push_back(std::make_unique<DirectTarget>(store));
    } else {
      parts.targets.push_back(std::make_unique<TierTarget>(**client, report.jobNames.back()));
    }
  }
  if (options.direct) {
    report.result = runWithProgress(options.load, parts);
  } else {
    runThroughTier(options.load, parts, **client, *nodes, report);
  }
  if (options.modelledDisks > 0) {
    report.disks = diskUseOf(options.modelledDisks, counters);
  }
  return report;
}

}  // namespace shift::load
