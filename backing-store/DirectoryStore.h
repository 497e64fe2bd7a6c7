#pragma once

#include <memory>
#include <string>

#include "backing-store/BackingStore.h"
#include "common/FileDescriptor.h"

namespace shift::store {

/**
 * A directory of a local or mounted file system as a backing store. A file's version is its modification time
 * and its size. Files are opened beneath the root and nowhere else: neither ".." nor a symbolic link leads
 * out.
 */
class DirectoryStore final : public BackingStore {
 public:
  /** Fails if `root` is not a directory that can be read. */
  static Result<std::unique_ptr<DirectoryStore>> open(std::string name, const std::string& root);

  const std::string& name() const override { return name_; }
  Result<FileInfo> stat(std::string_view path) const override;
  Result<std::unique_ptr<BackingFile>> open(std::string_view path) const override;
  Result<std::vector<ListedFile>> list(std::string_view directory) const override;

 private:
  DirectoryStore(std::string name, std::string root, FileDescriptor directory);

  Result<FileDescriptor> openBeneath(const std::string& path, int flags) const;
  Status listInto(const std::string& directory, std::vector<ListedFile>& files) const;

  const std::string name_;
  const std::string root_;
  const FileDescriptor directory_;
};

/**
 * A file that somebody opened for reading already, as DirectoryStore::open() would return it. Takes the
 * descriptor, also where it fails. `path` is for error messages.
 */
Result<std::unique_ptr<BackingFile>> adoptFile(FileDescriptor fd, std::string path);

}  // namespace shift::store
