#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/Result.h"

namespace shift::store {

/** What a store says of a file. `version` changes whenever the bytes may have: mtime and size, an ETag … */
struct FileInfo {
  std::uint64_t size = 0;
  std::string version;

  bool operator==(const FileInfo&) const = default;
};

/** One file of a listing. */
struct ListedFile {
  std::string path;  // below the store's root, normalised
  FileInfo info;

  bool operator==(const ListedFile&) const = default;
};

/** One opened file. Thread-safe; closing is the destructor's. Belongs to the caller, may outlive its store.
 */
class BackingFile {
 public:
  virtual ~BackingFile() = default;

  /** Size and version at the time of the open. */
  virtual const FileInfo& info() const = 0;

  /** Size and version now, of these very bytes: after a read, equal to info() means that what was read is it.
   */
  virtual Result<FileInfo> currentInfo() const = 0;

  /**
   * Fills the buffers one after the other from `offset` on, as one read of the store. Fewer bytes than asked
   * for only at the end of the file.
   */
  virtual Result<std::size_t> read(std::span<const std::span<std::byte>> into,
                                   std::uint64_t offset) const = 0;

  Result<std::size_t> read(std::span<std::byte> into, std::uint64_t offset) const {
    return read(std::span<const std::span<std::byte>>(&into, 1), offset);
  }
};

/**
 * The slow, durable store that the tier stands in front of. Paths are relative to the store's root, with '/'
 * between names, and are never resolved outside it. Thread-safe.
 */
class BackingStore {
 public:
  virtual ~BackingStore() = default;

  /** The store's name, the same on every client and node: a part of each block's identity. */
  virtual const std::string& name() const = 0;
  virtual Result<FileInfo> stat(std::string_view path) const = 0;
  virtual Result<std::unique_ptr<BackingFile>> open(std::string_view path) const = 0;

  /** The files in a directory and below it, by path. Costs a look at each of them. */
  virtual Result<std::vector<ListedFile>> list(std::string_view directory) const = 0;
};

}  // namespace shift::store
