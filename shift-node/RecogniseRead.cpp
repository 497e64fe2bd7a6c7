#include "shift-node/RecogniseRead.h"

#include <fmt/format.h>

#include "backing-store/StorePath.h"
#include "blocks/Geometry.h"
#include "read-protocol/Frame.h"

namespace shift::node {
namespace {

constexpr std::uint64_t kMaxBlockSize = 4 * kGiB;
constexpr std::size_t kMaxTagLength = 256;

}  // namespace

Result<control::ReadRequest> recogniseRead(const wire::GetRequest& request, const std::string& storeName) {
  const auto refuse = [](std::string why) { return Error{ErrorCode::kInvalidArgument, std::move(why)}; };
  if (request.store != storeName) {
    return refuse(fmt::format("this node caches the store \"{}\"", storeName));
  }
  const Result<std::string> path = store::normalisePath(request.path);
  if (!path || *path != request.path) {
    return refuse(path ? "the path is not normalised" : path.error().message);
  }
  if (request.version.size() > kMaxTagLength || request.job.size() > kMaxTagLength) {
    return refuse(fmt::format("version and job may be {} bytes long", kMaxTagLength));
  }
  const auto blockSize = static_cast<std::uint64_t>(request.blockSize);
  if (request.blockSize <= 0 || blockSize > kMaxBlockSize || request.fileSize < 0 || request.blockIndex < 0) {
    return refuse("file size, block size or block index out of range");
  }
  const auto offset = static_cast<std::uint64_t>(request.offset);
  const auto length = static_cast<std::uint64_t>(request.length);
  const std::uint64_t lengthOfBlock = blockLength(static_cast<std::uint64_t>(request.fileSize),
                                                  static_cast<std::uint64_t>(request.blockIndex), blockSize);
  if (request.length <= 0 || length > protocol::kMaxGetLength || request.offset < 0 ||
      offset >= lengthOfBlock || length > lengthOfBlock - offset) {
    return refuse("the range does not lie within the block, or is longer than one get may be");
  }
  const BlockId block = blockIdOf(request.store, request.path, request.version, blockSize,
                                  static_cast<std::uint64_t>(request.blockIndex));
  const BlockId claimed{static_cast<std::uint64_t>(request.blockHigh),
                        static_cast<std::uint64_t>(request.blockLow)};
  if (block != claimed) {
    return refuse("the block id is not that of this path, version and index");
  }
  return control::ReadRequest{.store = request.store,
                              .path = request.path,
                              .version = request.version,
                              .job = request.job,
                              .fileSize = static_cast<std::uint64_t>(request.fileSize),
                              .blockSize = blockSize,
                              .blockIndex = static_cast<std::uint64_t>(request.blockIndex),
                              .block = block,
                              .offset = offset,
                              .length = length};
}

}  // namespace shift::node
