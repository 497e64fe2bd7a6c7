#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "client-lib/Client.h"

namespace {

constexpr std::size_t kChunk = 4 * shift::kMiB;

int fail(const std::string& message) {
  fmt::print(stderr, "shift-cat: {}\n", message);
  return 1;
}

void printStats(const shift::client::ClientStats& stats) {
  fmt::print(
      stderr,
      "from nodes: {} bytes, from the backing store: {} bytes, past the cache: {} bytes, gets: {} hit, "
      "{} refused, {} failed, {} skipped, {} hedged\n",
      stats.bytesFromNodes, stats.bytesFromBackingStore, stats.bytesPastCache, stats.getsHit,
      stats.getsRefused, stats.getsFailed, stats.getsSkipped, stats.getsHedged);
}

}  // namespace

int main(int argc, char** argv) {
  std::string configFile;
  std::vector<std::string> overrides;
  std::vector<std::string> paths;
  std::string job;
  bool stats = false;
  bool printConfig = false;
  CLI::App app("Writes files of the backing store to standard output, read through the cache tier",
               "shift-cat");
  app.add_option("-c,--config", configFile, "client configuration (TOML)");
  app.add_option("--set", overrides, "KEY=VALUE, over what the file says; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--job", job, "job on whose account is read (default: $SHIFT_JOB_ID)");
  app.add_flag("--stats", stats, "say on standard error where the bytes came from");
  app.add_flag("--print-config", printConfig,
               "print every setting with its meaning and present value, and end");
  app.add_option("path", paths, "paths below the store's root");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    return app.exit(fault) == 0 ? 0 : 2;
  }

  const auto config = shift::client::loadClientConfig(configFile, overrides);
  if (!config) {
    fail(config.error().message);
    return 2;
  }
  if (printConfig) {
    fmt::print("{}", shift::client::printClientConfig(*config));
    return 0;
  }
  if (paths.empty()) {
    fail("name at least one path to read; --help tells more");
    return 2;
  }
  const auto client = shift::client::Client::create(*config);
  if (!client) {
    return fail(client.error().message);
  }
  std::vector<std::byte> buffer(kChunk);
  for (const std::string& path : paths) {
    const auto file = (*client)->open(path, {.job = job});
    if (!file) {
      return fail(file.error().message);
    }
    for (std::uint64_t offset = 0;;) {
      const auto got = (*client)->pread(*file, buffer, offset);
      if (!got) {
        return fail(got.error().message);
      }
      if (*got == 0) {
        break;
      }
      if (std::fwrite(buffer.data(), 1, *got, stdout) != *got) {
        return fail("cannot write to standard output");
      }
      offset += *got;
    }
  }
  if (stats) {
    printStats((*client)->stats());
  }
  return std::fflush(stdout) == 0 ? 0 : fail("cannot write to standard output");
}
