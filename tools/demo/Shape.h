#pragma once

#include <cstdint>

#include "backing-store/DiskConfig.h"
#include "common/ByteSize.h"

namespace shift::demo {

/** How large everything in the tour is. The proportions are the paper's; docs/tour.md compares them. */
struct Shape {
  std::uint32_t partitions = 9;
  std::uint32_t filesPerPartition = 144;
  std::uint64_t fileSize = kMiB;
  std::uint64_t blockSize = 256 * kKiB;  // a reader reads a block at a time
  std::uint32_t readersPerJob = 4;
  std::uint32_t nodes = 3;
  double cacheShare = 1.28 / 45;  // flash of all nodes, of the dataset
  std::uint64_t dramPerNode = 4 * kMiB;
  store::DiskConfig disks{.disks = 6};

  std::uint64_t datasetBytes() const { return partitions * filesPerPartition * fileSize; }
  /** Of all nodes together. */
  std::uint64_t flashBytes() const { return nodes * flashPerNode(); }
  std::uint64_t flashPerNode() const;
  /** How long the disks take for so many bytes, if none of them ever rests. */
  Duration diskTime(std::uint64_t bytes) const;
};

/** The same with so many times the files. */
Shape scaledBy(double scale);

}  // namespace shift::demo
