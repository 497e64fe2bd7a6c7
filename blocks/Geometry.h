#pragma once

#include <cstdint>
#include <vector>

#include "common/ByteSize.h"

namespace shift {

inline constexpr std::uint64_t kDefaultBlockSize = 72 * kMiB;
inline constexpr std::uint32_t kDefaultSegmentSize = 256 * kKiB;
inline constexpr std::uint64_t kMinSegmentSize = 64 * kKiB;
inline constexpr std::uint64_t kMaxSegmentSize = 4 * kMiB;

/** A piece of a read that lies within one block. */
struct BlockRange {
  std::uint64_t block = 0;         // index of the block in the file
  std::uint64_t offset = 0;        // where the piece begins in the block
  std::uint64_t length = 0;        // > 0
  std::uint64_t bufferOffset = 0;  // where its bytes go in the caller's buffer

  bool operator==(const BlockRange&) const = default;
};

/**
 * Cuts a read of `count` bytes at `offset` of a file into pieces of one block each, in order and without
 * gaps. What lies past the end of the file is left out, as pread(2) does: the pieces add up to the bytes that
 * exist.
 */
std::vector<BlockRange> cutIntoBlocks(std::uint64_t fileSize, std::uint64_t offset, std::uint64_t count,
                                      std::uint64_t blockSize);

/** A piece of a block range that lies within one segment. */
struct SegmentSlice {
  std::uint32_t segment = 0;  // index of the segment in the block
  std::uint32_t offset = 0;   // where the piece begins in the segment
  std::uint32_t length = 0;   // > 0

  bool operator==(const SegmentSlice&) const = default;
};

/** Cuts the range [offset, offset + length) of a block into pieces of one segment each, in order, without
 * gaps. */
std::vector<SegmentSlice> cutIntoSegments(std::uint64_t offset, std::uint64_t length,
                                          std::uint32_t segmentSize);

/** How many bytes of the file lie in this block: the block size, or less for the last one, or 0 past the end.
 */
std::uint64_t blockLength(std::uint64_t fileSize, std::uint64_t block, std::uint64_t blockSize);

/** How many bytes of the block lie in this segment: the segment size, or less for the last one, or 0. */
std::uint32_t segmentLength(std::uint64_t lengthOfBlock, std::uint32_t segment, std::uint32_t segmentSize);

}  // namespace shift
