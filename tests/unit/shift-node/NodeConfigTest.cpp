#include "shift-node/NodeConfig.h"

#include <gtest/gtest.h>

#include "common/ConfigSchema.h"

namespace shift::node {
namespace {

NodeConfig goodConfig() {
  NodeConfig config;
  config.storeRoot = "/data";
  return config;
}

TEST(NodeConfig, PlansIfThereIsAGmsToPlanBy) {
  NodeConfig config = goodConfig();
  EXPECT_EQ(resolvedPolicy(config), "admit-all");
  config.gms = "gms:7500";
  EXPECT_EQ(resolvedPolicy(config), "planned");
  config.policy = "hybrid";
  EXPECT_EQ(resolvedPolicy(config), "hybrid");
}

TEST(NodeConfig, ParametersOfTheControlPlaneCanBeSetOverTheConfiguration) {
  NodeConfig config = goodConfig();
  config.policy = "hybrid";
  const control::Parameters parameters =
      controlParametersWith(config, {"policy.min_admit_threshold=1.5", "policy.name=historic"});
  EXPECT_EQ(parameters.minAdmitThreshold, 1.5);
  EXPECT_EQ(parameters.policy, "historic");
  EXPECT_THROW(controlParametersWith(config, {"policy.min_admit_threshold=lots"}), ConfigError);
  EXPECT_THROW(controlParametersWith(config, {"cache.dram=1GiB"}), ConfigError);
}

}  // namespace
}  // namespace shift::node
