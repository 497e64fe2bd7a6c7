#pragma once

#include <string>
#include <vector>

#include "blocks/Geometry.h"
#include "control-plane/JobSpec.h"
#include "control-plane/ReadRequest.h"

namespace shift::control {

inline constexpr std::uint64_t kTestBlock = 8 * kMiB;

/** Files of ten blocks each, in `warehouse:<directory>`. */
inline std::vector<ListedFile> filesOf(const std::string& directory, std::uint32_t files) {
  std::vector<ListedFile> result;
  for (std::uint32_t i = 0; i < files; ++i) {
    result.push_back({directory + "/part-" + std::to_string(1000 + i), "v1", 10 * kTestBlock});
  }
  return result;
}

/** A read of a whole block, numbered through the files of a directory. */
inline ReadRequest readOf(const std::string& job, const std::string& directory, std::uint32_t block) {
  ReadRequest request;
  request.store = "warehouse";
  request.path = directory + "/part-" + std::to_string(1000 + block / 10);
  request.version = "v1";
  request.job = job;
  request.fileSize = 10 * kTestBlock;
  request.blockSize = kTestBlock;
  request.blockIndex = block % 10;
  request.block = blockIdOf(request.store, request.path, request.version, kTestBlock, request.blockIndex);
  request.length = kTestBlock;
  return request;
}

inline JobSpec specOf(const std::string& job, const std::vector<std::string>& directories) {
  JobSpec spec;
  spec.job = job;
  for (const std::string& directory : directories) {
    spec.partitions.push_back("warehouse:" + directory);
  }
  return spec;
}

}  // namespace shift::control
