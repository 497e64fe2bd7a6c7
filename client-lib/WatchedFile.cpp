#include "client-lib/WatchedFile.h"

#include <sys/stat.h>

#include <utility>

namespace shift::client {
namespace {

/** Differs when a file was written or replaced; empty if there is none. */
std::string stampOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return {};
  }
  return std::to_string(info.st_ino) + '/' + std::to_string(info.st_size) + '/' +
         std::to_string(info.st_mtim.tv_sec) + '.' + std::to_string(info.st_mtim.tv_nsec);
}

}  // namespace

bool WatchedFile::hasChanged() {
  if (path_.empty()) {
    return false;
  }
  std::string now = stampOf(path_);
  return std::exchange(stamp_, now) != now;
}

}  // namespace shift::client
