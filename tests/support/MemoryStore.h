#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "backing-store/BackingStore.h"

namespace shift::test {

/** A backing store in memory, whose reads can be counted, held up, made to fail, or raced by a change of the
 * file. */
class MemoryStore final : public store::BackingStore {
 public:
  explicit MemoryStore(std::string name) : name_(std::move(name)) {}

  /** Adds or replaces a file. */
  void put(const std::string& path, std::string content, const std::string& version);

  /** Called at the start of every read of a file, before its bytes are taken. May block, and may put(). */
  void beforeRead(std::function<void()> hook);
  /** Every read fails from now on. */
  void failReads(bool fail);

  std::uint64_t reads() const;
  std::uint64_t bytesRead() const;

  const std::string& name() const override { return name_; }
  Result<store::FileInfo> stat(std::string_view path) const override;
  Result<std::unique_ptr<store::BackingFile>> open(std::string_view path) const override;
  Result<std::vector<store::ListedFile>> list(std::string_view directory) const override;

 private:
  struct File {
    std::string content;
    std::string version;
  };
  /** Shared with open files, which may outlive the store. */
  struct State {
    std::mutex mutex;
    std::map<std::string, File, std::less<>> files;
    std::function<void()> beforeRead = [] {};
    bool failReads = false;
    std::uint64_t reads = 0;
    std::uint64_t bytesRead = 0;
  };
  class OpenFile;

  const std::string name_;
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace shift::test
