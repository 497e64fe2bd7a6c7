#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>

#include "common/Clock.h"
#include "common/TemporaryDirectory.h"
#include "tools/demo/Demo.h"

namespace {

constexpr int kInterrupted = 130;

std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void requestStop(int) {
  stopRequested = true;
}

}  // namespace

int main(int argc, char** argv) {
  shift::demo::DemoConfig config;
  config.binaries = std::filesystem::canonical("/proc/self/exe").parent_path().string();
  CLI::App app(
      "Starts a whole tier on this machine, lets training jobs read through it, and shows what it absorbed",
      "shift-demo");
  app.add_option("--nodes", config.nodes, "number of nodes")->check(CLI::Range(1, 64))->capture_default_str();
  app.add_option("--dram", config.dramPerNode, "memory per node")->transform(CLI::AsSizeValue(false));
  app.add_option("--flash", config.flashPerNode, "flash per node")->transform(CLI::AsSizeValue(false));
  app.add_option("--partitions", config.dataset.partitions, "partitions of the dataset")
      ->check(CLI::Range(1, 28))
      ->capture_default_str();
  app.add_option("--file-size", config.dataset.fileSize, "size of each file")
      ->transform(CLI::AsSizeValue(false));
  CLI11_PARSE(app, argc, argv);

  std::optional<shift::TemporaryDirectory> directory;
  try {
    directory.emplace("shift-demo");
  } catch (const std::system_error& fault) {
    fmt::print(stderr, "shift-demo: {}; set TMPDIR to a directory that can be written\n", fault.what());
    return 1;
  }
  config.directory = directory->path().string();
  std::signal(SIGINT, requestStop);
  std::signal(SIGTERM, requestStop);

  const shift::SystemClock clock;
  const shift::Status outcome = shift::demo::runDemo(config, clock, stopRequested);
  if (!outcome) {
    fmt::print(stderr, "shift-demo: {}\n", outcome.error().message);
    return 1;
  }
  return stopRequested ? kInterrupted : 0;
}
