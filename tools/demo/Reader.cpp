#include "tools/demo/Reader.h"

#include <algorithm>
#include <fstream>

namespace shift::demo {
namespace {

constexpr std::size_t kReadSize = 1024 * 1024;

}  // namespace

std::uint64_t DemoJob::bytes(const Dataset& dataset) const {
  std::uint64_t sum = 0;
  for (const std::size_t partition : partitions) {
    sum += dataset.partitions[partition].files.size() * dataset.fileSize;
  }
  return sum;
}

Status readAll(const DemoJob& job, const Dataset& dataset, const std::string& storeRoot,
               client::Client& client, const std::atomic<bool>& stop, ReaderProgress& progress) {
  std::vector<std::byte> buffer(kReadSize);
  std::vector<std::byte> expected(kReadSize);
  for (const std::size_t partition : job.partitions) {
    for (const std::string& path : dataset.partitions[partition].files) {
      const Result<client::Handle> file = client.open(path, {.job = job.id});
      if (!file) {
        return file.error();
      }
      std::ifstream original(storeRoot + "/" + path, std::ios::binary);
      for (std::uint64_t offset = 0; offset < dataset.fileSize && !stop;) {
        const Result<std::size_t> got = client.pread(*file, buffer, offset);
        if (!got) {
          return got.error();
        }
        original.read(reinterpret_cast<char*>(expected.data()), static_cast<std::streamsize>(*got));
        const auto end = buffer.begin() + static_cast<std::ptrdiff_t>(*got);
        if (*got == 0 || !original || !std::equal(buffer.begin(), end, expected.begin())) {
          return Error{ErrorCode::kCorrupt, path + ": the bytes read are not those of the file"};
        }
        offset += *got;
        progress.bytes += *got;
      }
      if (const Status closed = client.close(*file); !closed) {
        return closed;
      }
    }
  }
  return {};
}

}  // namespace shift::demo
