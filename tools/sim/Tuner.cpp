#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "tools/plot/Svg.h"
#include "tools/sim/Commands.h"
#include "tools/sim/JsonLine.h"
#include "tools/sim/NodeModel.h"
#include "tools/sim/TextFile.h"

namespace shift::sim {

namespace {

struct Sample {
  double time = 0;
  control::Thresholds thresholds;
  double bytesPerSecond = 0;
};

/** The Synchronized workload, whose jobs all read three times as fast from halfway on: a step. */
std::vector<Sample> stepResponse(const TunerOptions& options) {
  Workload workload = synchronizedWorkload();
  for (WorkloadJob& job : workload.jobs) {
    job.rateStep = 3;
  }
  const double scale = options.scaleFactor();
  const Trace trace =
      generate(workload, {.scale = scale, .seed = options.firstSeed, .skew = calibratedSkew()});
  control::Parameters parameters;
  parameters.policy = options.policy;
  parameters.minAdmitThreshold = 0;
  parameters.writeLimit = static_cast<std::uint64_t>(options.limit() * scale);
  const double period = std::chrono::duration<double>(parameters.bucketRefreshTime).count();
  std::vector<Sample> samples;
  NodeProbe probe;
  probe.onRefresh = [&](double time, const control::Thresholds& thresholds, std::uint64_t written) {
    samples.push_back({time, thresholds, static_cast<double>(written) / period / scale});
  };
  runNode(trace, parameters, probe);
  return samples;
}

}  // namespace

void runTuner(const TunerOptions& options) {
  const double limit = options.limit();
  const std::vector<Sample> samples = stepResponse(options);
  double written = 0;
  tools::LineChart chart{.title = "Write rate of " + options.policy + " under a limit of " +
                                  fmt::format("{:g}", limit / 1e6) + " MB/s; the load triples halfway",
                         .xLabel = "seconds",
                         .yLabel = "MB/s",
                         .lines = {{"limit", {}}, {"since start", {}}, {"last minute", {}}}};
  if (!options.json) {
    fmt::print("{:>8} {:>14} {:>16} {:>12} {:>12}\n", "second", "written MB/s", "since start MB/s",
               "threshold", "horizon s");
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    written += sample.bytesPerSecond;
    const double mean = written / static_cast<double>(i + 1);
    double lastMinute = 0;
    const std::size_t count = std::min<std::size_t>(6, i + 1);
    for (std::size_t back = 0; back < count; ++back) {
      lastMinute += samples[i - back].bytesPerSecond / static_cast<double>(count);
    }
    chart.lines[0].points.emplace_back(sample.time, limit / 1e6);
    chart.lines[1].points.emplace_back(sample.time, mean / 1e6);
    chart.lines[2].points.emplace_back(sample.time, lastMinute / 1e6);
    if (options.json) {
      const double horizon = sample.thresholds.horizonSeconds;
      JsonLine()
          .add("second", sample.time)
          .add("write_bytes_per_second", sample.bytesPerSecond)
          .add("mean_since_start", mean)
          .add("admit_threshold", sample.thresholds.admit)
          .add("horizon_seconds", std::isfinite(horizon) ? std::optional(horizon) : std::nullopt)
          .print();
    } else if (i % 6 == 0 || i + 1 == samples.size()) {
      fmt::print("{:>8.0f} {:>14.1f} {:>16.1f} {:>12.2f} {:>12.1f}\n", sample.time, lastMinute / 1e6,
                 mean / 1e6, sample.thresholds.admit, sample.thresholds.horizonSeconds);
    }
  }
  if (!options.plot.empty()) {
    writeTextFile(options.plot, tools::toSvg(chart));
  }
}

}  // namespace shift::sim
