#pragma once

#include <string>

namespace shift::client {

/** A file that is looked at again and again. One thread. */
class WatchedFile {
 public:
  /** An empty path: nothing is watched. */
  explicit WatchedFile(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  /** Whether it was written, replaced or removed since the last call; true at the first. */
  bool hasChanged();

 private:
  const std::string path_;
  std::string stamp_ = "not looked at yet";
};

}  // namespace shift::client
