#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/Result.h"

namespace shift::demo {

struct DatasetShape {
  std::uint32_t partitions = 3;
  std::uint32_t filesPerPartition = 4;
  std::uint64_t fileSize = 16 * 1024 * 1024;
};

struct Partition {
  std::string directory;           // below the store's root
  std::vector<std::string> files;  // paths below the store's root, in reading order
};

/** A table of training data as it lies in a warehouse: a directory per partition, some files in each. */
struct Dataset {
  std::string table;
  std::vector<Partition> partitions;
  std::uint64_t fileSize = 0;
};

/** Writes a dataset of this shape below `root`. Contents are pseudo-random: no two segments are alike. */
Result<Dataset> makeDataset(const std::string& root, const DatasetShape& shape);

}  // namespace shift::demo
