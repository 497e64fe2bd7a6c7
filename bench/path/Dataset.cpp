#include "bench/path/Dataset.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <stdexcept>

#include "tools/dataset/RandomFile.h"

namespace shift::bench {

Dataset::Dataset(const std::string& directory, std::size_t items, std::size_t itemBytes)
    : directory_(directory), items_(items), itemBytes_(itemBytes) {
  const std::string path = directory + "/" + std::string(kFileName);
  if (const Status written = tools::writeRandomFile(path, bytes(), items); !written) {
    throw std::runtime_error(written.error().message);
  }
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  void* const mapped = ::mmap(nullptr, bytes(), PROT_READ, MAP_SHARED | MAP_POPULATE, file.get(), 0);
  if (mapped == MAP_FAILED) {
    throw std::runtime_error("cannot map " + path);
  }
  content_ = static_cast<const std::byte*>(mapped);
}

Dataset::~Dataset() {
  ::munmap(const_cast<std::byte*>(content_), bytes());
}

std::span<const std::byte> Dataset::item(std::size_t index) const {
  return {content_ + offsetOf(index), itemBytes_};
}

}  // namespace shift::bench
