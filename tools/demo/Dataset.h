#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "common/Result.h"
#include "tools/demo/Shape.h"

namespace shift::demo {

struct Partition {
  std::string directory;           // below the store's root
  std::vector<std::string> files;  // paths below the store's root, sorted
};

/** A table of training data as it lies in a warehouse: a directory per partition, some files in each. */
struct Dataset {
  std::string table;
  std::vector<Partition> partitions;
  std::uint64_t fileSize = 0;
};

/** The names of all there is in a dataset of this shape. */
Dataset datasetOf(const Shape& shape);

/** Writes it below `root`. Contents are pseudo-random: no two segments are alike. Ends early, without an
 * error, soon after `stop` is set. */
Status writeDataset(const Dataset& dataset, const std::string& root, const std::atomic<bool>& stop);

}  // namespace shift::demo
