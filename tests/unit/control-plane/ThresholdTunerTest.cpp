#include "control-plane/ThresholdTuner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace shift::control {
namespace {

constexpr double kLimit = 100e6;
constexpr double kDt = 1;

Parameters limited(const std::string& policy) {
  Parameters parameters;
  parameters.policy = policy;
  parameters.writeLimit = static_cast<std::uint64_t>(kLimit);
  return parameters;
}

/** Runs the tuner against a cache that writes `writes(thresholds, time)` bytes per second. */
struct TunedRun {
  double meanRate = 0;
  double longestStarvation = 0;  // seconds without any write
};
TunedRun run(const Parameters& parameters, double seconds,
             const std::function<double(const Thresholds&, double)>& writes) {
  ThresholdTuner tuner(parameters);
  TunedRun result;
  double written = 0;
  double starved = 0;
  for (double time = 0; time < seconds; time += kDt) {
    const double rate = writes(tuner.thresholds(), time);
    written += rate * kDt;
    starved = rate > 0 ? 0 : starved + kDt;
    result.longestStarvation = std::max(result.longestStarvation, starved);
    tuner.step(rate, kDt);
  }
  result.meanRate = written / seconds;
  return result;
}

/** Buckets of priorities 1 to 3, each wanting a third of `demand`. */
double byPriority(const Thresholds& thresholds, double demand) {
  double rate = 0;
  for (const double priority : {1.0, 2.0, 3.0}) {
    rate += priority > thresholds.admit ? demand / 3 : 0;
  }
  return rate;
}

/** Blocks whose next uses lie between 60 and 600 seconds ahead. */
double byHorizon(const Thresholds& thresholds, double demand) {
  return demand * std::clamp((thresholds.horizonSeconds - 60) / 540, 0.0, 1.0);
}

TEST(ThresholdTuner, StaysAtTheMinimumWithoutALimit) {
  Parameters parameters;
  parameters.policy = "hybrid";
  ThresholdTuner tuner(parameters);
  tuner.step(1e12, 10);
  EXPECT_DOUBLE_EQ(tuner.thresholds().admit, 1.1);
  EXPECT_DOUBLE_EQ(tuner.thresholds().reinsert, 2.1);
  EXPECT_TRUE(std::isinf(tuner.thresholds().horizonSeconds));
}

TEST(ThresholdTuner, ReinsertsOnlyAnOffsetAboveAdmission) {
  Parameters parameters = limited("hybrid");
  parameters.reinsertOffset = 1.5;
  ThresholdTuner tuner(parameters);
  for (int i = 0; i < 20; ++i) {
    tuner.step(3 * kLimit, kDt);
    EXPECT_DOUBLE_EQ(tuner.thresholds().reinsert, tuner.thresholds().admit + 1.5);
  }
}

TEST(ThresholdTuner, ReturnsToTheMinimumWhenThereIsLittleToWrite) {
  ThresholdTuner tuner(limited("hybrid"));
  for (int i = 0; i < 1000; ++i) {
    tuner.step(0.1 * kLimit, kDt);
  }
  EXPECT_DOUBLE_EQ(tuner.thresholds().admit, 1.1);
}

struct Load {
  const char* name;
  std::function<double(double)> demand;  // bytes per second at a time
};

std::vector<Load> enoughLoads() {
  auto random = std::make_shared<std::mt19937_64>(11);
  return {
      {"steady", [](double) { return 30 * kLimit; }},
      {"slightly too much", [](double) { return 4 * kLimit; }},
      {"step", [](double time) { return time < 20000 ? 4 * kLimit : 40 * kLimit; }},
      {"step down", [](double time) { return time < 20000 ? 40 * kLimit : 4 * kLimit; }},
      {"noisy",
       [random](double) { return (4 + 20 * static_cast<double>((*random)() % 1000) / 1000) * kLimit; }},
  };
}

TEST(ThresholdTuner, KeepsToTheLimitInTheLongRun) {
  for (const std::string policy : {"hybrid", "planned"}) {
    for (const Load& load : enoughLoads()) {
      const TunedRun result = run(limited(policy), 100000, [&](const Thresholds& thresholds, double time) {
        const double demand = load.demand(time);
        return policy == "planned" ? byHorizon(thresholds, demand) : byPriority(thresholds, demand);
      });
      EXPECT_LE(result.meanRate, kLimit) << policy << ", " << load.name;
      EXPECT_GE(result.meanRate, 0.95 * kLimit) << policy << ", " << load.name;
      // What one refresh writes too much has to be paid back; longer than that nothing is held off.
      EXPECT_LE(result.longestStarvation, 300) << policy << ", " << load.name;
    }
  }
}

TEST(ThresholdTuner, GoesOnUnlessSomethingChangesThatItRestsOn) {
  const ThresholdTuner tuner(limited("hybrid"));
  Parameters parameters = limited("hybrid");
  parameters.bucketRefreshTime = std::chrono::seconds(3);
  EXPECT_TRUE(tuner.suits(parameters));
  parameters.writeLimit *= 2;
  EXPECT_FALSE(tuner.suits(parameters));
}

TEST(ThresholdTuner, OpensUpAgainAfterAnOvershoot) {
  for (const std::string policy : {"hybrid", "planned"}) {
    ThresholdTuner tuner(limited(policy));
    for (int i = 0; i < 100; ++i) {
      tuner.step(0, kDt);
    }
    tuner.step(400 * kLimit, kDt);  // three hundred seconds' worth too much
    EXPECT_TRUE(std::isinf(tuner.thresholds().admit) || tuner.thresholds().horizonSeconds == 0) << policy;
    for (int i = 0; i < 310; ++i) {
      tuner.step(0, kDt);
    }
    EXPECT_TRUE(std::isfinite(tuner.thresholds().admit) && tuner.thresholds().horizonSeconds > 0) << policy;
  }
}

TEST(ThresholdTuner, IsNeverAboveTheLimitUnderBursts) {
  for (const std::string policy : {"hybrid", "planned"}) {
    for (const double period : {100.0, 600.0, 5000.0}) {
      const TunedRun result = run(limited(policy), 100000, [&](const Thresholds& thresholds, double time) {
        const double demand = std::fmod(time, period) < period / 4 ? 20 * kLimit : 0;
        return policy == "planned" ? byHorizon(thresholds, demand) : byPriority(thresholds, demand);
      });
      EXPECT_LE(result.meanRate, kLimit) << policy << ", bursts every " << period;
      // What a lull leaves is spent in the next burst, unless that is more than an hour's worth.
      const double reachable = period <= 600 ? 0.95 : 0.4;
      EXPECT_GE(result.meanRate, reachable * kLimit) << policy << ", bursts every " << period;
    }
  }
}

TEST(ThresholdTuner, TellsWhereItStands) {
  ThresholdTuner tuner(limited("historic"));
  EXPECT_DOUBLE_EQ(tuner.state().writeLimit, kLimit);
  tuner.step(0.25 * kLimit, 4);
  const ThresholdTuner::State state = tuner.state();
  EXPECT_DOUBLE_EQ(state.writeRate, 0.25 * kLimit);
  EXPECT_DOUBLE_EQ(state.budget, 3 * kLimit) << "three quarters of four seconds were not used";
  EXPECT_DOUBLE_EQ(state.error, (state.writeRate - state.aim) / kLimit);
  EXPECT_DOUBLE_EQ(state.output, state.terms.proportional + state.terms.integral + state.terms.derivative);
  EXPECT_DOUBLE_EQ(tuner.thresholds().admit, limited("historic").minAdmitThreshold + state.output);
}

}  // namespace
}  // namespace shift::control
