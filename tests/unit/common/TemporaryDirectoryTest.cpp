#include "common/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <system_error>

namespace shift {
namespace {

TEST(TemporaryDirectory, IsItsOwnAndGoesWithAllItHolds) {
  std::filesystem::path path;
  {
    const TemporaryDirectory outer("outer");
    const TemporaryDirectory inner("inner", outer.path());
    const TemporaryDirectory sibling("inner", outer.path());
    EXPECT_NE(inner.path(), sibling.path());
    EXPECT_EQ(inner.path().parent_path(), outer.path());
    std::ofstream(outer / "file") << "content";
    path = outer.path();
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryDirectory, SaysWhereItCouldNotBeMade) {
  const TemporaryDirectory outer("outer");
  try {
    const TemporaryDirectory inner("inner", outer / "absent");
    FAIL() << "made a directory in one that is absent";
  } catch (const std::system_error& fault) {
    EXPECT_NE(std::string(fault.what()).find("absent"), std::string::npos);
  }
}

}  // namespace
}  // namespace shift
