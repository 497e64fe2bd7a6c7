#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>

#include "common/Duration.h"
#include "tools/load/Bench.h"

namespace {

using shift::load::BenchOptions;
using shift::load::PatternKind;

constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;
constexpr const char* kExamples = R"(
Examples:
  Two jobs of four readers each scan all files once through the tier:
    shift-bench --config client.toml --jobs 2 --readers 4 --passes 1
  Each job reads 30 % of the columns of every row group:
    shift-bench --config client.toml --pattern columns --select 0.3 --jobs 3 --passes 2
  Small and large reads where some data is hot, 500 reads a second whatever the answers take, for a minute:
    shift-bench --config client.toml --pattern zipf --read-size 64KiB:3,1MiB:1 --rate 500 --duration 1min
  What the same reads cost without the tier, if the files lay on 12 hard disks:
    shift-bench --config client.toml --direct --modelled-disks 12 --pattern random
  Without a cluster or data, one line of JSON:
    shift-bench --set store.root=/tmp/data --make-dataset 8 --file-size 64MiB --json

Exit codes: 0 every read was right, 1 a read failed or was wrong, or the run could not be made, 2 wrong usage,
130 interrupted.)";

std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void requestStop(int) {
  stopRequested = true;
}

/** An option whose value is read by a function that returns a Result; its error is said as CLI11 says its
 * own. */
template <typename T, typename Parse>
CLI::Option* addParsed(CLI::App& app, const std::string& name, T& target, Parse parse,
                       const std::string& help) {
  return app.add_option_function<std::string>(
      name,
      [name, &target, parse](const std::string& text) {
        auto value = parse(text);
        if (!value) {
          throw CLI::ValidationError(name, value.error().message);
        }
        target = *std::move(value);
      },
      help);
}

shift::Result<PatternKind> parsePattern(const std::string& text) {
  for (const PatternKind kind :
       {PatternKind::kSequential, PatternKind::kColumns, PatternKind::kRandom, PatternKind::kZipf}) {
    if (shift::load::nameOf(kind) == text) {
      return kind;
    }
  }
  return shift::Error{shift::ErrorCode::kInvalidArgument,
                      "\"" + text + "\" is none of sequential, columns, random, zipf"};
}

void addWhatIsRead(CLI::App& app, BenchOptions& options) {
  app.add_option("path", options.paths, "files or directories below the store's root (default: all)");
  app.add_option("-c,--config", options.configFile, "client configuration (TOML)");
  app.add_option("--set", options.overrides, "KEY=VALUE, over what the file says; may be repeated")
      ->allow_extra_args(false);  // what follows its value is a path
  app.add_flag("--direct", options.direct, "read the backing store itself, without the tier");
  app.add_option("--modelled-disks", options.modelledDisks,
                 "reads of the backing store by this process take as long as on so many hard disks")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--make-dataset", options.makeFiles, "write so many files if the store's root is empty")
      ->check(CLI::Range(1, 1'000'000));
  addParsed(app, "--file-size", options.fileSize, shift::parseByteSize, "size of each of them (64MiB)");
}

void addHowItIsRead(CLI::App& app, BenchOptions& options) {
  shift::load::LoadConfig& load = options.load;
  addParsed(app, "--pattern", load.pattern.kind, parsePattern,
            "sequential (default), columns, random or zipf");
  addParsed(app, "--read-size", load.pattern.readSizes, shift::load::ReadSizes::parse,
            "size of a read, or SIZE:WEIGHT,SIZE:WEIGHT,… for a mix (256KiB)");
  app.add_option("--seed", load.pattern.seed, "other reads for each seed, the same for the same")
      ->capture_default_str();
  app.add_option("--select", load.pattern.selected, "columns: share of the columns that a job reads")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--columns", load.pattern.columns, "columns: how many a row group has")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  addParsed(app, "--row-group", load.pattern.rowGroupBytes, shift::parseByteSize,
            "columns: size of a row group (8MiB)")
      ->check([](const std::string& text) {
        const auto size = shift::parseByteSize(text);
        return size && *size == 0 ? std::string("must be larger than 0") : std::string();
      });
  app.add_option("--zipf-exponent", load.pattern.zipfExponent, "zipf: how uneven; 0 = all alike")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
}

void addHowMuchIsRead(CLI::App& app, BenchOptions& options) {
  shift::load::LoadConfig& load = options.load;
  app.add_option("--jobs", load.jobs, "training jobs at once, each with its own tag")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--readers", load.readers, "readers of each job, each a thread with one read at a time")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--job", options.jobName, "jobs are called NAME-0, NAME-1 …")->capture_default_str();
  app.add_option("--rate", load.readsPerSecond,
                 "open loop: so many reads a second in all; latency counts from when a read was due")
      ->check(CLI::Range(0.001, 1e9));
  addParsed(app, "--duration", load.duration, shift::parseDuration,
            "stop after this time (10s, unless --reads or --passes is given)");
  app.add_option("--reads", load.reads, "stop after so many reads in all")->check(CLI::PositiveNumber);
  app.add_option("--passes", load.pattern.passes,
                 "sequential, columns: stop when each job has gone so often through the dataset")
      ->check(CLI::PositiveNumber);
}

}  // namespace

int main(int argc, char** argv) {
  BenchOptions options;
  bool json = false;
  std::vector<std::string> admins;
  CLI::App app("Reads through the cache tier as training jobs do, checks every byte, and says how it went",
               "shift-bench");
  app.footer(kExamples);
  addWhatIsRead(app, options);
  addHowItIsRead(app, options);
  addHowMuchIsRead(app, options);
  app.add_flag("--verify,!--no-verify", options.verify,
               "compare every byte with the backing store (default); costs time and CPU");
  app.add_option(
         "--admin", admins,
         "HOST:PORT of a node's admin service, for absorbed IO; may be repeated (default: each node's "
         "port + 1)")
      ->allow_extra_args(false);  // what follows its value is a path
  app.add_flag("--json", json, "one JSON object instead of a table");
  try {
    app.parse(argc, argv);
    for (const std::string& text : admins) {
      const auto address = shift::parseHostPort(text);
      if (!address) {
        throw CLI::ValidationError("--admin", address.error().message);
      }
      options.admins.push_back(*address);
    }
    const PatternKind kind = options.load.pattern.kind;
    if (options.load.pattern.passes > 0 && (kind == PatternKind::kRandom || kind == PatternKind::kZipf)) {
      throw CLI::ValidationError("--passes", "a random pattern has no end; use --reads or --duration");
    }
  } catch (const CLI::ParseError& fault) {
    return app.exit(fault) == 0 ? 0 : kBadUsage;
  }
  shift::load::LoadConfig& load = options.load;
  if (load.duration == shift::Duration(0) && load.reads == 0 && load.pattern.passes == 0) {
    load.duration = std::chrono::seconds(10);
  }
  std::signal(SIGINT, requestStop);
  std::signal(SIGTERM, requestStop);

  const auto report = shift::load::runBench(options, stopRequested);
  if (!report) {
    fmt::print(stderr, "shift-bench: {}\n", report.error().message);
    return report.error().code == shift::ErrorCode::kInvalidArgument ? kBadUsage : 1;
  }
  fmt::print("{}", json ? toJson(*report) + "\n" : toTable(*report));
  if (stopRequested) {
    return kInterrupted;
  }
  return report->isGood() ? 0 : 1;
}
