#include "tools/demo/Dataset.h"

#include <fmt/format.h>

#include "tools/dataset/RandomFile.h"

namespace shift::demo {

Dataset datasetOf(const Shape& shape) {
  Dataset dataset{.table = "clicks", .fileSize = shape.fileSize};
  for (std::uint32_t day = 1; day <= shape.partitions; ++day) {
    Partition partition{.directory = fmt::format("{}/ds=2026-11-{:02}", dataset.table, day)};
    for (std::uint32_t file = 0; file < shape.filesPerPartition; ++file) {
      partition.files.push_back(fmt::format("{}/part-{:05}", partition.directory, file));
    }
    dataset.partitions.push_back(std::move(partition));
  }
  return dataset;
}

Status writeDataset(const Dataset& dataset, const std::string& root, const std::atomic<bool>& stop) {
  std::uint64_t seed = 0;
  for (const Partition& partition : dataset.partitions) {
    for (const std::string& file : partition.files) {
      if (stop) {
        return {};
      }
      if (Status written = tools::writeRandomFile(root + "/" + file, dataset.fileSize, ++seed); !written) {
        return written;
      }
    }
  }
  return {};
}

}  // namespace shift::demo
