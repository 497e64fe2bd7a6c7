#include "control-plane/SegmentMapper.h"

#include "control-plane/BucketKey.h"
#include "control-plane/Hash.h"

namespace shift::control {

namespace {

/** The same for `store` and `rest` as bucketIdOf() gives for "store:rest", without joining them. */
BucketId idOf(std::string_view store, std::string_view rest) {
  return mixHash(hashText(store), hashText(rest));
}

std::string_view directoryOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

BucketId bucketIdOf(std::string_view key) {
  const std::size_t colon = key.find(':');
  return colon == std::string_view::npos ? idOf(key, "") : idOf(key.substr(0, colon), key.substr(colon + 1));
}

SegmentMapper::SegmentMapper(const Parameters& parameters)
    : mapping_(parameters.mapping), rangeBytes_(parameters.rangeBytes) {
  if (mapping_ == Mapping::kTable) {
    tablePattern_ = std::regex(parameters.tablePattern, std::regex::optimize);
  }
}

BucketId SegmentMapper::bucketOf(const ReadRequest& request) const {
  switch (mapping_) {
    case Mapping::kDirectory:
      return idOf(request.store, directoryOf(request.path));
    case Mapping::kFile:
      return idOf(request.store, request.path);
    case Mapping::kTable:
    case Mapping::kRange:
      return bucketIdOf(keyOf(request));
  }
  return 0;
}

std::string SegmentMapper::keyOf(const ReadRequest& request) const {
  switch (mapping_) {
    case Mapping::kDirectory:
      return directoryBucket(request.store, request.path);
    case Mapping::kFile:
      return request.store + ":" + request.path;
    case Mapping::kTable:
      return request.store + ":" + tableOf(request);
    case Mapping::kRange: {
      const std::uint64_t offset = request.blockIndex * request.blockSize + request.offset;
      return request.store + ":" + request.path + "#" + std::to_string(offset / rangeBytes_);
    }
  }
  return {};
}

std::string SegmentMapper::tableOf(const ReadRequest& request) const {
  std::smatch match;
  if (std::regex_search(request.path, match, tablePattern_)) {
    return match[1].str();
  }
  // What the pattern does not know keeps the default, so that it is still told apart.
  return std::string(directoryOf(request.path));
}

}  // namespace shift::control
