#include "tests/support/InProcessNode.h"

namespace shift::test {

wire::GetRequest getRequest(const MemoryStore& store, const std::string& path, std::uint64_t blockSize,
                            std::uint64_t block, std::uint64_t offset, std::uint64_t length) {
  const store::FileInfo info = *store.stat(path);
  const BlockId id = blockIdOf(store.name(), path, info.version, blockSize, block);
  wire::GetRequest request;
  request.__set_blockHigh(static_cast<std::int64_t>(id.high));
  request.__set_blockLow(static_cast<std::int64_t>(id.low));
  request.__set_store(store.name());
  request.__set_path(path);
  request.__set_version(info.version);
  request.__set_fileSize(static_cast<std::int64_t>(info.size));
  request.__set_blockSize(static_cast<std::int64_t>(blockSize));
  request.__set_blockIndex(static_cast<std::int64_t>(block));
  request.__set_offset(static_cast<std::int64_t>(offset));
  request.__set_length(static_cast<std::int64_t>(length));
  request.__set_job("job");
  return request;
}

std::string bodyOf(const node::GetAnswer& answer) {
  std::string body;
  for (const node::AnswerSlice& slice : answer.slices) {
    body.append(reinterpret_cast<const char*>(slice.bytes().data()), slice.length);
  }
  return body;
}

}  // namespace shift::test
