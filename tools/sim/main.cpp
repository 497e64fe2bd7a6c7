#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "tools/sim/Commands.h"

int main(int argc, char** argv) {
  CLI::App app("Drives the node's control plane over modelled workloads and recorded traces.", "shift-sim");
  app.require_subcommand(1);
  shift::sim::addFig8(app);
  shift::sim::addFig9(app);
  shift::sim::addReplay(app);
  shift::sim::addStress(app);
  shift::sim::addTable4(app);
  shift::sim::addTuner(app);
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
