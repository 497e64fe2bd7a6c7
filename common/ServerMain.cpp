#include "common/ServerMain.h"

#include <fmt/format.h>
#include <pthread.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "common/Log.h"

namespace shift {
namespace {

constexpr int kCouldNotStart = 1;
constexpr int kWrongConfiguration = 2;

/** Blocked before any thread starts, so that only waitForStop() sees them. */
sigset_t blockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

void waitForStop(const sigset_t& signals) {
  int received = 0;
  while (sigwait(&signals, &received) != 0) {
  }
}

}  // namespace

int serverMain(int argc, char** argv, const ServerProgram& program) {
  std::string configFile;
  std::vector<std::string> overrides;
  bool printConfig = false;
  std::string logLevel = "info";
  program.schema.choice("log.level", logLevel, {"info", "warning", "error"},
                        "least severe message that is logged");

  CLI::App app(program.summary, program.name);
  app.add_option("-c,--config", configFile, "TOML configuration file");
  app.add_option("--set", overrides, "KEY=VALUE, over what the file says; may be repeated")->take_all();
  app.add_flag("--print-config", printConfig, "print the whole configuration with its meaning, and stop");
  app.set_version_flag("--version", program.name + " " SHIFT_VERSION);
  try {
    app.parse(argc, argv);
    program.schema.load(configFile, overrides);
  } catch (const CLI::ParseError& fault) {
    return app.exit(fault) == 0 ? 0 : kWrongConfiguration;
  } catch (const ConfigError& error) {
    for (const std::string& fault : error.faults()) {
      fmt::print(stderr, "{}: {}\n", program.name, fault);
    }
    return kWrongConfiguration;
  }
  if (printConfig) {
    fmt::print("{}", program.schema.print());
    return 0;
  }

  startLogging(program.name.c_str(), logLevel);
  const sigset_t stopSignals = blockStopSignals();
  Result<std::unique_ptr<RunningServer>> server = program.start();
  if (!server) {
    fmt::print(stderr, "{}: {}\n", program.name, server.error().message);
    return server.error().code == ErrorCode::kInvalidArgument ? kWrongConfiguration : kCouldNotStart;
  }
  fmt::print("ready {}\n", (*server)->addresses());
  std::fflush(stdout);
  waitForStop(stopSignals);
  logInfo("stopping: finishing what is in flight");
  server->reset();
  logInfo("stopped");
  return 0;
}

}  // namespace shift
