#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>

#include "common/Clock.h"
#include "common/TemporaryDirectory.h"
#include "tools/demo/Tour.h"

namespace {

constexpr int kInterrupted = 130;

std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void requestStop(int) {
  stopRequested = true;
}

/** What is printed to a terminal that is gone throws; all that was started must end in order then, too. */
shift::Status tour(const shift::demo::TourConfig& config) {
  const shift::SystemClock clock;
  try {
    return shift::demo::runTour(config, clock, stopRequested);
  } catch (const std::system_error& fault) {
    return shift::Error{shift::ErrorCode::kIo, fault.what()};
  }
}

}  // namespace

int main(int argc, char** argv) {
  shift::demo::TourConfig config;
  config.stage.binaries = std::filesystem::canonical("/proc/self/exe").parent_path().string();
  config.plot = "shift-demo.svg";
  double scale = 1;
  CLI::App app(
      "The paper's Synchronized workload in small, over a backing store that is as slow as hard disks: "
      "without a "
      "cache, with three policies side by side, and with each of them alone. docs/tour.md explains what it "
      "shows.",
      "shift-demo");
  app.add_option(
         "--scale", scale,
         "size of the dataset, and with it of the cache and of the time; much below 1, ranks mean nothing")
      ->check(CLI::Range(0.02, 10.0))
      ->capture_default_str();
  app.add_option("--seed", config.stage.seed, "of the jobs' starts and of the order in which they read")
      ->capture_default_str();
  app.add_option("--plot", config.plot, "file for the chart, SVG")->capture_default_str();
  app.add_flag("--keep", config.keep, "leave the last cluster up, to be played with, until Ctrl-C");
  CLI11_PARSE(app, argc, argv);
  config.stage.shape = shift::demo::scaledBy(scale);

  std::optional<shift::TemporaryDirectory> directory;
  try {
    directory.emplace("shift-demo");
  } catch (const std::system_error& fault) {
    fmt::print(stderr, "shift-demo: {}; set TMPDIR to a directory that can be written\n", fault.what());
    return 1;
  }
  config.stage.directory = directory->path().string();
  // Also when the terminal is closed, or the pipe that is written to: nothing may be left behind.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    std::signal(number, requestStop);
  }

  const shift::Status outcome = tour(config);
  directory.reset();
  if (stopRequested) {
    return kInterrupted;
  }
  if (!outcome) {
    fmt::print(stderr, "shift-demo: {}\n", outcome.error().message);
    return 1;
  }
  return 0;
}
