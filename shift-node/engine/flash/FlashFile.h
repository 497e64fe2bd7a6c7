#pragma once

#include <cstdint>
#include <string>

#include "common/Clock.h"
#include "common/FileDescriptor.h"
#include "common/Result.h"

namespace shift::node {

/** A file or block device on flash, and how much of it to use. */
struct FlashFileConfig {
  std::string path;
  std::uint64_t bytes = 0;  // a multiple of 4 KiB; 0: all of an existing file or block device
  /** How long to wait for a process that holds it: one that was killed lets go only when the kernel has
   * finished its last requests, a moment after it is gone. */
  Duration lockPatience = std::chrono::seconds(5);
};

/**
 * An open cache file: exclusively locked against other processes, of its full size with all space allocated
 * (so that no later write can find the disk full), and opened past the page cache where the file system
 * permits.
 */
class FlashFile {
 public:
  /** Refuses, with the reason: a path that cannot be opened or written, a size that is unaligned or larger
   * than the disk, a file that another process uses. Keeps what the file holds. */
  static Result<FlashFile> open(const FlashFileConfig& config);

  int descriptor() const { return descriptor_.get(); }
  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  bool isDirect() const { return isDirect_; }

  Status sync() const;

 private:
  FlashFile(FileDescriptor descriptor, std::string path, std::uint64_t size, bool isDirect)
      : descriptor_(std::move(descriptor)), path_(std::move(path)), size_(size), isDirect_(isDirect) {}

  FileDescriptor descriptor_;
  std::string path_;
  std::uint64_t size_ = 0;
  bool isDirect_ = false;
};

}  // namespace shift::node
