#include "tests/support/MemoryStore.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace shift::test {

/** Sees the file by its name, as a file written in place: what is put() under the name is what is read. */
class MemoryStore::OpenFile final : public store::BackingFile {
 public:
  OpenFile(std::shared_ptr<State> state, std::string path, store::FileInfo info)
      : state_(std::move(state)), path_(std::move(path)), info_(std::move(info)) {}

  const store::FileInfo& info() const override { return info_; }

  Result<store::FileInfo> currentInfo() const override {
    std::lock_guard lock(state_->mutex);
    const File& file = state_->files.at(path_);
    return store::FileInfo{file.content.size(), file.version};
  }

  using BackingFile::read;
  Result<std::size_t> read(std::span<const std::span<std::byte>> into, std::uint64_t offset) const override {
    std::unique_lock lock(state_->mutex);
    const std::function<void()> hook = state_->beforeRead;
    lock.unlock();
    hook();
    lock.lock();
    ++state_->reads;
    if (state_->failReads) {
      return Error::fromErrno(EIO, "reading " + path_);
    }
    const std::string& content = state_->files.at(path_).content;
    std::size_t done = 0;
    for (const std::span<std::byte> buffer : into) {
      const std::size_t at = std::min<std::size_t>(offset + done, content.size());
      const std::size_t length = std::min(buffer.size(), content.size() - at);
      std::memcpy(buffer.data(), content.data() + at, length);
      done += length;
    }
    state_->bytesRead += done;
    return done;
  }

 private:
  const std::shared_ptr<State> state_;
  const std::string path_;
  const store::FileInfo info_;
};

void MemoryStore::put(const std::string& path, std::string content, const std::string& version) {
  std::lock_guard lock(state_->mutex);
  state_->files.insert_or_assign(path, File{std::move(content), version});
}

void MemoryStore::beforeRead(std::function<void()> hook) {
  std::lock_guard lock(state_->mutex);
  state_->beforeRead = std::move(hook);
}

void MemoryStore::failReads(bool fail) {
  std::lock_guard lock(state_->mutex);
  state_->failReads = fail;
}

std::uint64_t MemoryStore::reads() const {
  std::lock_guard lock(state_->mutex);
  return state_->reads;
}

std::uint64_t MemoryStore::bytesRead() const {
  std::lock_guard lock(state_->mutex);
  return state_->bytesRead;
}

Result<store::FileInfo> MemoryStore::stat(std::string_view path) const {
  std::lock_guard lock(state_->mutex);
  const auto entry = state_->files.find(path);
  if (entry == state_->files.end()) {
    return Error::fromErrno(ENOENT, std::string(path));
  }
  return store::FileInfo{entry->second.content.size(), entry->second.version};
}

Result<std::unique_ptr<store::BackingFile>> MemoryStore::open(std::string_view path) const {
  Result<store::FileInfo> info = stat(path);
  if (!info) {
    return info.error();
  }
  return std::unique_ptr<store::BackingFile>(new OpenFile(state_, std::string(path), *std::move(info)));
}

Result<std::vector<store::ListedFile>> MemoryStore::list(std::string_view directory) const {
  std::lock_guard lock(state_->mutex);
  std::vector<store::ListedFile> files;
  for (const auto& [path, file] : state_->files) {
    if (path.starts_with(std::string(directory) + "/")) {
      files.push_back({path, {file.content.size(), file.version}});
    }
  }
  return files;
}

}  // namespace shift::test
