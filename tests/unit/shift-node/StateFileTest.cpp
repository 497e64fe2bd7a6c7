#include "shift-node/StateFile.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

class StateFileTest : public testing::Test {
 protected:
  test::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "state.toml";
};

TEST_F(StateFileTest, NoFileIsAnEmptyState) {
  const auto state = loadState(path_);
  ASSERT_TRUE(state);
  EXPECT_EQ(*state, NodeState());
}

TEST_F(StateFileTest, WhatWasSavedIsLoaded) {
  const NodeState state{
      .parameters = {{"policy.name", "hybrid"}, {"policy.table_pattern", "^(a,b=\"c\\\\)/"}},
      .flashWrittenBytes = 123'456'789'012'345};
  ASSERT_TRUE(saveState(path_, state));
  const auto loaded = loadState(path_);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(*loaded, state);
  ASSERT_TRUE(saveState(path_, {})) << "a file that is there is replaced";
  EXPECT_EQ(*loadState(path_), NodeState());
}

TEST_F(StateFileTest, AFileThatMakesNoSenseIsAnErrorThatNamesIt) {
  for (const char* content : {"parameters = 5", "flash_written = \"lots\"", "\x01\x02", "other = 1",
                              "parameters = [\"no value\"]"}) {
    std::ofstream(path_) << content;
    const auto state = loadState(path_);
    ASSERT_FALSE(state) << content;
    EXPECT_NE(state.error().message.find(path_), std::string::npos) << state.error().message;
  }
}

TEST_F(StateFileTest, APlaceThatCannotBeWrittenIsAnError) {
  EXPECT_FALSE(saveState(directory_ / "no/such/place", {}));
}

}  // namespace
}  // namespace shift::node
