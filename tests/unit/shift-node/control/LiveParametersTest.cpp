#include "shift-node/control/LiveParameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::node {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LiveParametersTest : public testing::Test {
 protected:
  static NodeConfig config() {
    NodeConfig config;
    config.storeRoot = "/data";
    config.policy = "hybrid";
    config.parameters.minAdmitThreshold = 1.5;
    return config;
  }

  LiveParameters::Setting setting(const std::string& name) const {
    for (const LiveParameters::Setting& each : live_.settings()) {
      if (each.now.key == name) {
        return each;
      }
    }
    ADD_FAILURE() << "no setting " << name;
    return {};
  }
  double threshold() const { return plane_.parameters().minAdmitThreshold; }

  ManualClock clock_;
  control::ControlPlane plane_{controlParameters(config()),
                               {.blockSize = kDefaultBlockSize, .segmentSize = 256 * kKiB, .owns = {}}};
  int changes_ = 0;
  LiveParameters live_{config(), plane_, [this] { ++changes_; }, clock_};
};

TEST_F(LiveParametersTest, WhatIsSetHereGoesBeforeTheGmsAndThatBeforeTheConfiguration) {
  EXPECT_EQ(setting("policy.min_admit_threshold").source, "config");
  EXPECT_THAT(live_.adopt({{"policy.min_admit_threshold", "2"}, {"policy.name", "historic"}}), IsEmpty());
  EXPECT_EQ(threshold(), 2);
  EXPECT_THAT(live_.set({{"policy.min_admit_threshold", "3"}}), IsEmpty());
  EXPECT_EQ(threshold(), 3);
  EXPECT_EQ(setting("policy.min_admit_threshold").source, "live");
  EXPECT_EQ(setting("policy.min_admit_threshold").configured, "1.5");
  EXPECT_EQ(setting("policy.name").source, "gms");
  EXPECT_EQ(plane_.parameters().policy, "historic");

  EXPECT_THAT(live_.adopt({}), IsEmpty());
  EXPECT_EQ(threshold(), 3) << "the GMS has nothing to say any more; what was set here stands";
  EXPECT_EQ(plane_.parameters().policy, "hybrid");
  EXPECT_THAT(live_.reset({}), IsEmpty());
  EXPECT_EQ(threshold(), 1.5);
  EXPECT_EQ(changes_, 4);
}

TEST_F(LiveParametersTest, WhatIsWrongChangesNothingAndEveryFaultIsNamed) {
  EXPECT_THAT(live_.set({{"policy.min_admit_threshold", "3"}, {"policy.name", "nonsense"}}),
              ElementsAre(HasSubstr("policy.name")));
  EXPECT_THAT(live_.set({{"cache.dram", "1GiB"}, {"no.such", "1"}}),
              ElementsAre(HasSubstr("cache.dram"), HasSubstr("no.such")));
  EXPECT_THAT(live_.reset({"policy.name"}), ElementsAre(HasSubstr("has not been set")));
  EXPECT_EQ(threshold(), 1.5);
  EXPECT_EQ(changes_, 0);
}

TEST_F(LiveParametersTest, CheckingFindsTheSameFaultsAndChangesNothing) {
  EXPECT_THAT(live_.check({{"policy.min_admit_threshold", "-1"}}), ElementsAre(HasSubstr("min_admit")));
  EXPECT_THAT(live_.check({{"policy.min_admit_threshold", "3"}}), IsEmpty());
  EXPECT_EQ(threshold(), 1.5);
}

TEST_F(LiveParametersTest, ThePolicyCanBeAnyAlsoAdmitAll) {
  for (const char* name : {"admit-all", "future", "planned", "auto"}) {
    EXPECT_THAT(live_.set({{"policy.name", name}}), IsEmpty());
    EXPECT_EQ(plane_.parameters().policy, std::string(name) == "auto" ? "admit-all" : name);
  }
}

TEST_F(LiveParametersTest, TellsTheArmOfAComparison) {
  EXPECT_EQ(live_.arm(), "");
  EXPECT_THAT(live_.adopt({{"policy.arm", "a"}}), IsEmpty());
  EXPECT_EQ(live_.arm(), "a");
}

}  // namespace
}  // namespace shift::node
