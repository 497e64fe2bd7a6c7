#include "backing-store/StorePath.h"

#include <cerrno>

namespace shift::store {
namespace {

constexpr std::size_t kMaxPathLength = 4096;

Error refuse(std::string_view path, std::string_view why, int systemError) {
  return Error{ErrorCode::kInvalidArgument,
               "path \"" + std::string(path.substr(0, 200)) + "\": " + std::string(why), systemError};
}

}  // namespace

Result<std::string> normalisePath(std::string_view path) {
  if (path.size() > kMaxPathLength) {
    return refuse(path, "longer than 4096 bytes", ENAMETOOLONG);
  }
  if (path.find('\0') != std::string_view::npos) {
    return refuse(path.substr(0, path.find('\0')), "contains a NUL byte", EINVAL);
  }
  std::string normal;
  normal.reserve(path.size());
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view name = path.substr(at, end - at);
    at = end + 1;
    if (name.empty() || name == ".") {
      continue;
    }
    if (name == "..") {
      return refuse(path, "\"..\" may lead out of the store and is not allowed", EINVAL);
    }
    if (!normal.empty()) {
      normal.push_back('/');
    }
    normal.append(name);
  }
  if (normal.empty()) {
    return refuse(path, "names no file below the store's root", EINVAL);
  }
  return normal;
}

std::string_view withoutStore(std::string_view path, std::string_view store) {
  const bool isNamed = path.size() > store.size() && path.starts_with(store) && path[store.size()] == ':';
  return isNamed ? path.substr(store.size() + 1) : path;
}

}  // namespace shift::store
