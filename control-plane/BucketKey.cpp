#include "control-plane/BucketKey.h"

namespace shift::control {

std::string directoryBucket(std::string_view store, std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view directory = slash == std::string_view::npos ? "" : path.substr(0, slash);
  std::string bucket;
  bucket.reserve(store.size() + 1 + directory.size());
  bucket.append(store).append(1, ':').append(directory);
  return bucket;
}

}  // namespace shift::control
