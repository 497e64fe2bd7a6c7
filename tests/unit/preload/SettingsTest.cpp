#include "preload/Settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/TemporaryDirectory.h"

namespace shift::preload {
namespace {

TEST(SettingsTest, APathIsBelowADirectoryOnlyByWholeNames) {
  EXPECT_EQ(pathBelow("/data", "/data/t/f"), "t/f");
  EXPECT_EQ(pathBelow("/", "/data/t/f"), "data/t/f");
  EXPECT_EQ(pathBelow("/data", "/data"), "");
  EXPECT_EQ(pathBelow("/data", "/data/"), "");
  EXPECT_EQ(pathBelow("/data", "/database/f"), "");
  EXPECT_EQ(pathBelow("/data", "/dat"), "");
  EXPECT_EQ(pathBelow("/data", "socket:[17]"), "");
  EXPECT_EQ(pathBelow("/", "pipe:[17]"), "");
}

/** Sets variables for one test. */
class SettingsFromEnvironmentTest : public testing::Test {
 protected:
  ~SettingsFromEnvironmentTest() override {
    for (const char* name : {"SHIFT_PRELOAD_PREFIX", "SHIFT_CONFIG", "SHIFT_PRELOAD_QUIET"}) {
      ::unsetenv(name);
    }
  }

  /** Whether that is enough, and what was said. */
  static std::pair<bool, std::string> read(const std::string& prefix, const std::string& config) {
    ::setenv("SHIFT_PRELOAD_PREFIX", prefix.c_str(), 1);
    ::setenv("SHIFT_CONFIG", config.c_str(), 1);
    testing::internal::CaptureStderr();
    const bool isGood = readSettings();
    return {isGood, testing::internal::GetCapturedStderr()};
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(SettingsFromEnvironmentTest, PathsAreTakenWithoutTheirLinks) {
  const std::string config = directory_.write("client.toml", "");
  std::filesystem::create_directory(directory_ / "data");
  std::filesystem::create_symlink(directory_ / "data", directory_ / "link");
  EXPECT_EQ(read((directory_ / "link") + "/", config), std::pair(true, std::string()));
  EXPECT_EQ(settings().prefix, std::filesystem::canonical(directory_ / "data").string());
}

TEST_F(SettingsFromEnvironmentTest, WhatIsMissingIsSaidUnlessSilenceIsAskedFor) {
  const std::string here = directory_.path().string();
  EXPECT_NE(read("", here).second.find("SHIFT_PRELOAD_PREFIX is not set"), std::string::npos);
  EXPECT_NE(read(here, "").second.find("SHIFT_CONFIG is not set"), std::string::npos);
  EXPECT_NE(read(here, here + "/none").second.find("No such file"), std::string::npos);
  ::setenv("SHIFT_PRELOAD_QUIET", "1", 1);
  EXPECT_EQ(read(here, ""), std::pair(false, std::string()));
}

TEST_F(SettingsFromEnvironmentTest, AWarningOfAnyLengthIsOneLine) {
  const auto [isGood, said] = read(std::string(3000, 'x'), "");
  EXPECT_FALSE(isGood);
  EXPECT_EQ(said.size(), 1024u);
  EXPECT_EQ(said.find('\n'), 1023u);
}

}  // namespace
}  // namespace shift::preload
