#include "control-plane/BucketKey.h"

#include <gtest/gtest.h>

namespace shift::control {
namespace {

TEST(DirectoryBucket, IsStoreAndDirectory) {
  EXPECT_EQ(directoryBucket("warehouse", "t/ds=1/part-0"), "warehouse:t/ds=1");
  EXPECT_EQ(directoryBucket("warehouse", "part-0"), "warehouse:");
}

}  // namespace
}  // namespace shift::control
