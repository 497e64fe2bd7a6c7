#include "tools/sim/CommandLine.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>

#include "common/ByteSize.h"
#include "common/Duration.h"
#include "tools/sim/Commands.h"

namespace shift::sim {

namespace {

const CLI::Validator kScale(
    [](const std::string& text) {
      const Result<double> scale = parseScale(text);
      return scale ? std::string() : scale.error().message;
    },
    "SCALE");
const CLI::Validator kByteSize(
    [](const std::string& text) {
      const Result<std::uint64_t> size = parseByteSize(text);
      return size ? std::string() : size.error().message;
    },
    "SIZE");
const CLI::Validator kDuration(
    [](const std::string& text) {
      const Result<Duration> duration = parseDuration(text);
      return !duration                 ? duration.error().message
             : *duration > Duration(0) ? ""
                                       : "must be longer than nothing";
    },
    "DURATION");

enum class Plot { kNo, kYes };

void addRunOptions(CLI::App& command, RunOptions& options, Plot plot) {
  command.add_option("--scale", options.scale, "share of one node's bytes and rates, up to 1")
      ->capture_default_str()
      ->check(kScale);
  command.add_option("--seeds", options.seeds, "runs to take the mean of")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command.add_option("--first-seed", options.firstSeed, "seed of the first run")->capture_default_str();
  command.add_flag("--json", options.json, "one JSON object per line");
  if (plot == Plot::kYes) {
    command.add_option("--plot", options.plot, "write a picture to this SVG file");
  }
}

void addLimit(CLI::App& command, LimitedOptions& options, double megabytes) {
  options.limitMegabytes = megabytes;
  command.add_option("--limit", options.limitMegabytes, "flash writes, MB/s a node at scale 1")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

/** A command whose options live as long as it. */
template <typename Options>
std::shared_ptr<Options> addCommand(CLI::App& app, const std::string& name, const std::string& description,
                                    void (*run)(const Options&), CLI::App*& command) {
  const auto options = std::make_shared<Options>();
  command = app.add_subcommand(name, description);
  command->callback([options, run] { run(*options); });
  return options;
}

template <typename Options>
std::shared_ptr<Options> addRunCommand(CLI::App& app, const std::string& name, const std::string& description,
                                       Plot plot, void (*run)(const Options&), CLI::App*& command) {
  const auto options = addCommand<Options>(app, name, description, run, command);
  addRunOptions(*command, *options, plot);
  return options;
}

void addCommands(CLI::App& app) {
  CLI::App* command = nullptr;
  const auto calibrate = addRunCommand<CalibrateOptions>(
      app, "calibrate", "which skew of the readers gives the paper's FIFO and Historic against LRU",
      Plot::kNo, runCalibrate, command);
  command->add_option("--points", calibrate->points, "how many to try, at random")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));

  const auto fig8 = addRunCommand<Fig8Options>(
      app, "fig8", "IO absorbed by each policy on the paper's three workloads", Plot::kYes, runFig8, command);
  command
      ->add_option("--order", fig8->order,
                   "shuffled: files in an order of each job's own, as calibrated; listed: a split per reader")
      ->capture_default_str()
      ->check(CLI::IsMember({"shuffled", "listed"}));

  const auto fig9 = addRunCommand<LimitedOptions>(
      app, "fig9", "IO absorbed, flash writes and cache fills under a write limit", Plot::kYes, runFig9,
      command);
  addLimit(*command, *fig9, 100);

  const auto fig10 = addRunCommand<LimitedOptions>(
      app, "fig10", "power saved on a production-like mix of jobs", Plot::kYes, runFig10, command);
  addLimit(*command, *fig10, 100);
  fig10->seeds = 1;  // hundreds of jobs for eleven hours take their time
  command->get_option("--seeds")->capture_default_str();

  const auto replay = addCommand<ReplayOptions>(
      app, "replay", "what a policy would have made of a recorded trace", runReplay, command);
  command
      ->add_option("file", replay->file, "what shiftctl trace recorded, or CSV with a line of column names")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--policy", replay->policies, "may be given several times")
      ->check(CLI::IsMember({"fifo", "lru", "historic", "future", "hybrid", "planned", "belady"}));
  command->add_option("--cache", replay->cache, "flash, as in 10GiB")
      ->capture_default_str()
      ->check(kByteSize);
  command->add_option("--refresh", replay->refresh, "BucketRefreshTime, as the node had it")
      ->capture_default_str()
      ->check(kDuration);
  command->add_option("--min-threshold", replay->minThreshold, "least AdmitThreshold, as the node had it")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", replay->json, "one JSON object per line");

  addRunCommand<RunOptions>(app, "segments", "segment size against what is fetched for nothing", Plot::kYes,
                            runSegments, command);

  const auto stress = addRunCommand<StressOptions>(
      app, "stress", "how the policies bear what goes wrong in practice", Plot::kNo, runStress, command);
  command->add_option("--case", stress->only, "run only this one");

  const auto table4 = addRunCommand<LimitedOptions>(app, "table4", "what reinsertion brings and costs",
                                                    Plot::kNo, runTable4, command);
  addLimit(*command, *table4, 1000);

  const auto tuner = addRunCommand<TunerOptions>(app, "tuner", "how the threshold follows a step in load",
                                                 Plot::kYes, runTuner, command);
  addLimit(*command, *tuner, 100);
  command->add_option("--policy", tuner->policy, "historic, future, hybrid or planned")
      ->capture_default_str()
      ->check(CLI::IsMember({"historic", "future", "hybrid", "planned"}));
}

}  // namespace

int runCommandLine(int argc, char** argv) {
  CLI::App app("Drives the node's control plane over modelled workloads and recorded traces.", "shift-sim");
  app.require_subcommand(1);
  addCommands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "shift-sim: {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace shift::sim
