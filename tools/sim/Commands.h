#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace shift::sim {

/** What the commands that play workloads have in common. */
struct CommonOptions {
  std::string scale = "1/64";
  std::uint32_t seeds = 3;
  std::uint64_t firstSeed = 1;
  bool json = false;
  std::string plot;  // path of an SVG file; empty: none

  void addTo(CLI::App& command, bool withPlot);
  /** "1/64", "0.5" or "1"; throws CLI::ValidationError for what is not in (0, 1]. */
  double scaleFactor() const;
};

// One command each, one file each.
void addFig8(CLI::App& app);
void addFig9(CLI::App& app);
void addTable4(CLI::App& app);
void addReplay(CLI::App& app);
void addStress(CLI::App& app);
void addTuner(CLI::App& app);

}  // namespace shift::sim
