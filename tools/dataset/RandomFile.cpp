#include "tools/dataset/RandomFile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

namespace shift::tools {

Status writeRandomFile(const std::string& path, std::uint64_t size, std::uint64_t seed) {
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  std::error_code fault;
  std::filesystem::create_directories(directory, fault);
  if (fault) {
    return Error::fromErrno(fault.value(), "making " + directory.string());
  }
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
  return out ? Status() : Status(Error{ErrorCode::kIo, "cannot write " + path + "; is the disk full?"});
}

}  // namespace shift::tools
