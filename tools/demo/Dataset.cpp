#include "tools/demo/Dataset.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace shift::demo {
namespace {

Status writeFile(const std::filesystem::path& path, std::uint64_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> chunk(128 * 1024);
  std::ofstream out(path, std::ios::binary);
  for (std::uint64_t left = size; left > 0 && out;) {
    for (std::uint64_t& word : chunk) {
      word = random();
    }
    const std::uint64_t length = std::min<std::uint64_t>(left, chunk.size() * sizeof chunk[0]);
    out.write(reinterpret_cast<const char*>(chunk.data()), static_cast<std::streamsize>(length));
    left -= length;
  }
  out.close();
  return out ? Status()
             : Status(Error{ErrorCode::kIo, "cannot write " + path.string() + "; is the disk full?"});
}

}  // namespace

Result<Dataset> makeDataset(const std::string& root, const DatasetShape& shape) {
  Dataset dataset{.table = "clicks", .fileSize = shape.fileSize};
  std::uint64_t seed = 0;
  for (std::uint32_t day = 1; day <= shape.partitions; ++day) {
    Partition partition{.directory = fmt::format("{}/ds=2026-11-{:02}", dataset.table, day)};
    std::error_code fault;
    std::filesystem::create_directories(std::filesystem::path(root) / partition.directory, fault);
    if (fault) {
      return Error::fromErrno(fault.value(), "making " + root + "/" + partition.directory);
    }
    for (std::uint32_t file = 0; file < shape.filesPerPartition; ++file) {
      partition.files.push_back(fmt::format("{}/part-{:05}", partition.directory, file));
      const Status written =
          writeFile(std::filesystem::path(root) / partition.files.back(), shape.fileSize, ++seed);
      if (!written) {
        return written.error();
      }
    }
    dataset.partitions.push_back(std::move(partition));
  }
  return dataset;
}

}  // namespace shift::demo
