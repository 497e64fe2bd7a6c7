#include "blocks/Geometry.h"

#include <algorithm>

namespace shift {

std::vector<BlockRange> cutIntoBlocks(std::uint64_t fileSize, std::uint64_t offset, std::uint64_t count,
                                      std::uint64_t blockSize) {
  std::vector<BlockRange> ranges;
  if (offset >= fileSize) {
    return ranges;
  }
  const std::uint64_t end = offset + std::min(count, fileSize - offset);
  for (std::uint64_t at = offset; at < end;) {
    const std::uint64_t within = at % blockSize;
    const std::uint64_t length = std::min(blockSize - within, end - at);
    ranges.push_back({at / blockSize, within, length, at - offset});
    at += length;
  }
  return ranges;
}

std::vector<SegmentSlice> cutIntoSegments(std::uint64_t offset, std::uint64_t length,
                                          std::uint32_t segmentSize) {
  std::vector<SegmentSlice> slices;
  slices.reserve(length / segmentSize + 2);
  const std::uint64_t end = offset + length;
  for (std::uint64_t at = offset; at < end;) {
    const auto within = static_cast<std::uint32_t>(at % segmentSize);
    const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(segmentSize - within, end - at));
    slices.push_back({static_cast<std::uint32_t>(at / segmentSize), within, piece});
    at += piece;
  }
  return slices;
}

std::uint64_t blockLength(std::uint64_t fileSize, std::uint64_t block, std::uint64_t blockSize) {
  // Divided rather than multiplied, so that a hostile block index cannot overflow.
  if (block > fileSize / blockSize) {
    return 0;
  }
  return std::min(blockSize, fileSize - block * blockSize);
}

std::uint32_t segmentLength(std::uint64_t lengthOfBlock, std::uint32_t segment, std::uint32_t segmentSize) {
  const std::uint64_t begin = std::uint64_t{segment} * segmentSize;
  if (begin >= lengthOfBlock) {
    return 0;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(segmentSize, lengthOfBlock - begin));
}

}  // namespace shift
