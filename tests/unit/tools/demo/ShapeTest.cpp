#include "tools/demo/Shape.h"

#include <gtest/gtest.h>

#include "blocks/Geometry.h"

namespace shift::demo {
namespace {

TEST(Shape, TheCacheIsToTheDatasetAsInThePaper) {
  const Shape shape;
  const double share = static_cast<double>(shape.flashBytes()) / static_cast<double>(shape.datasetBytes());
  EXPECT_NEAR(share, 1.28 / 45, 0.001);
}

TEST(Shape, FitsASmallDisk) {
  const Shape shape;
  EXPECT_LT(shape.datasetBytes() + shape.flashBytes(), 3 * kGiB / 2);
}

TEST(Shape, ScaleChangesTheNumberOfFilesAndWithItTheCache) {
  const Shape half = scaledBy(0.5);
  const Shape whole = scaledBy(1);
  EXPECT_EQ(2 * half.filesPerPartition, whole.filesPerPartition);
  EXPECT_EQ(half.fileSize, whole.fileSize);
  EXPECT_NEAR(static_cast<double>(half.flashBytes()), static_cast<double>(whole.flashBytes()) / 2,
              static_cast<double>(half.nodes * kDefaultSegmentSize));
}

TEST(Shape, HoweverSmallThereIsAFileAndTheLeastFlashThatAnEngineTakes) {
  const Shape tiny = scaledBy(0.0001);
  EXPECT_EQ(tiny.filesPerPartition, 1u);
  EXPECT_EQ(tiny.flashPerNode(), 16 * kDefaultSegmentSize);
}

TEST(Shape, DisksThatAreNeverIdleShareTheWork) {
  Shape shape;
  shape.blockSize = 100;
  shape.disks = {.disks = 2, .seek = std::chrono::milliseconds(10), .bytesPerSecond = 10'000};
  EXPECT_EQ(shape.diskTime(1000), std::chrono::milliseconds(100)) << "ten reads of 20 ms on two disks";
}

}  // namespace
}  // namespace shift::demo
