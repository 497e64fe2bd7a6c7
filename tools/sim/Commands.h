#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/Result.h"

namespace shift::sim {

/** "1/64", "0.5" or "1"; an error for what is not above 0 and at most 1. */
Result<double> parseScale(const std::string& text);

/** What the commands that play workloads have in common. CommandLine.cpp has checked the values. */
struct RunOptions {
  std::string scale = "1/64";
  std::uint32_t seeds = 3;
  std::uint64_t firstSeed = 1;
  bool json = false;
  std::string plot;  // path of an SVG file; empty: none

  double scaleFactor() const { return *parseScale(scale); }
};

struct Fig8Options : RunOptions {
  std::string order = "shuffled";  // or "listed"
};

struct LimitedOptions : RunOptions {
  double limitMegabytes = 100;  // flash writes, MB/s a node at scale 1

  double limit() const { return limitMegabytes * 1e6; }
};

struct CalibrateOptions : RunOptions {
  std::uint32_t points = 100;
};

struct TunerOptions : LimitedOptions {
  std::string policy = "hybrid";
};

struct StressOptions : RunOptions {
  std::string only;  // the one case to run; empty: all
};

struct ReplayOptions {
  std::string file;
  std::vector<std::string> policies;
  std::string cache = "1GiB";
  std::string refresh = "10s";  // BucketRefreshTime
  double minThreshold = 1.1;    // of AdmitThreshold
  bool json = false;
};

// One command each, one file each. They throw std::runtime_error for what only shows when they run.
void runCalibrate(const CalibrateOptions& options);
void runFig8(const Fig8Options& options);
void runFig9(const LimitedOptions& options);
void runFig10(const LimitedOptions& options);
void runReplay(const ReplayOptions& options);
void runSegments(const RunOptions& options);
void runStress(const StressOptions& options);
void runTable4(const LimitedOptions& options);
void runTuner(const TunerOptions& options);

}  // namespace shift::sim
