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

}  // namespace
}  // namespace shift::node
