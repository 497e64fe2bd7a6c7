#include "blocks/Geometry.h"

#include <gtest/gtest.h>

#include <random>

namespace shift {
namespace {

TEST(CutIntoBlocks, LeavesOutWhatLiesPastTheEnd) {
  EXPECT_TRUE(cutIntoBlocks(100, 100, 1, 10).empty());
  EXPECT_TRUE(cutIntoBlocks(100, 5, 0, 10).empty());
  EXPECT_TRUE(cutIntoBlocks(0, 0, 1, 10).empty());
  EXPECT_EQ(cutIntoBlocks(95, 90, 50, 10), (std::vector<BlockRange>{{9, 0, 5, 0}}));
}

TEST(CutIntoBlocks, SurvivesTheLargestNumbers) {
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
  const auto ranges = cutIntoBlocks(kMax, kMax - 3, kMax, kMax / 2);
  std::uint64_t total = 0;
  for (const BlockRange& range : ranges) {
    total += range.length;
  }
  EXPECT_EQ(total, 3u);
}

TEST(CutIntoBlocks, PiecesCoverTheReadInOrderAndStayInTheirBlock) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t blockSize = 1 + random() % 50;
    const std::uint64_t fileSize = random() % 300;
    const std::uint64_t offset = random() % 320;
    const std::uint64_t count = random() % 320;
    std::uint64_t at = offset;
    std::uint64_t filled = 0;
    for (const BlockRange& range : cutIntoBlocks(fileSize, offset, count, blockSize)) {
      ASSERT_GT(range.length, 0u);
      ASSERT_EQ(range.block * blockSize + range.offset, at);
      ASSERT_LE(range.offset + range.length, blockLength(fileSize, range.block, blockSize));
      ASSERT_EQ(range.bufferOffset, filled);
      at += range.length;
      filled += range.length;
    }
    ASSERT_EQ(filled, offset >= fileSize ? 0 : std::min(count, fileSize - offset));
  }
}

TEST(CutIntoSegments, PiecesCoverTheRangeInOrderAndStayInTheirSegment) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 20'000; ++i) {
    const auto segmentSize = static_cast<std::uint32_t>(1 + random() % 50);
    const std::uint64_t offset = random() % 300;
    const std::uint64_t length = random() % 300;
    std::uint64_t at = offset;
    for (const SegmentSlice& slice : cutIntoSegments(offset, length, segmentSize)) {
      ASSERT_GT(slice.length, 0u);
      ASSERT_EQ(std::uint64_t{slice.segment} * segmentSize + slice.offset, at);
      ASSERT_LE(slice.offset + slice.length, segmentSize);
      at += slice.length;
    }
    ASSERT_EQ(at, offset + length);
  }
}

TEST(Lengths, AddUpToTheFile) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t blockSize = 1 + random() % 50;
    const auto segmentSize = static_cast<std::uint32_t>(1 + random() % 20);
    const std::uint64_t fileSize = random() % 300;
    std::uint64_t total = 0;
    for (std::uint64_t block = 0; block * blockSize < fileSize; ++block) {
      const std::uint64_t length = blockLength(fileSize, block, blockSize);
      for (std::uint32_t segment = 0; std::uint64_t{segment} * segmentSize < length; ++segment) {
        total += segmentLength(length, segment, segmentSize);
      }
    }
    ASSERT_EQ(total, fileSize);
  }
}

TEST(Lengths, AreZeroPastTheEnd) {
  EXPECT_EQ(blockLength(100, 10, 10), 0u);
  EXPECT_EQ(blockLength(100, ~std::uint64_t{0}, 10), 0u);
  EXPECT_EQ(segmentLength(100, 10, 10), 0u);
  EXPECT_EQ(segmentLength(100, ~std::uint32_t{0}, 10), 0u);
}

}  // namespace
}  // namespace shift
