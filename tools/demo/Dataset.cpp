#include "tools/demo/Dataset.h"

#include <fmt/format.h>

#include "tools/dataset/RandomFile.h"

namespace shift::demo {

Result<Dataset> makeDataset(const std::string& root, const DatasetShape& shape) {
  Dataset dataset{.table = "clicks", .fileSize = shape.fileSize};
  std::uint64_t seed = 0;
  for (std::uint32_t day = 1; day <= shape.partitions; ++day) {
    Partition partition{.directory = fmt::format("{}/ds=2026-11-{:02}", dataset.table, day)};
    for (std::uint32_t file = 0; file < shape.filesPerPartition; ++file) {
      partition.files.push_back(fmt::format("{}/part-{:05}", partition.directory, file));
      const Status written =
          tools::writeRandomFile(root + "/" + partition.files.back(), shape.fileSize, ++seed);
      if (!written) {
        return written.error();
      }
    }
    dataset.partitions.push_back(std::move(partition));
  }
  return dataset;
}

}  // namespace shift::demo
