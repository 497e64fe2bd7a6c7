#include "tools/load/ReadTarget.h"

#include "common/Log.h"

namespace shift::load {
namespace {

class TierFile final : public TargetFile {
 public:
  TierFile(client::Client& client, client::Handle handle) : client_(client), handle_(handle) {}
  ~TierFile() override {
    if (const Status closed = client_.close(handle_); !closed) {
      logWarning("closing a file: " + closed.error().message);
    }
  }
  Result<std::size_t> read(std::span<std::byte> into, std::uint64_t offset) override {
    return client_.pread(handle_, into, offset);
  }

 private:
  client::Client& client_;
  const client::Handle handle_;
};

class DirectFile final : public TargetFile {
 public:
  explicit DirectFile(std::unique_ptr<store::BackingFile> file) : file_(std::move(file)) {}
  Result<std::size_t> read(std::span<std::byte> into, std::uint64_t offset) override {
    return file_->read(into, offset);
  }

 private:
  const std::unique_ptr<store::BackingFile> file_;
};

}  // namespace

Result<std::unique_ptr<TargetFile>> TierTarget::open(const std::string& path) {
  const Result<client::Handle> handle = client_.open(path, {.job = job_});
  if (!handle) {
    return handle.error();
  }
  return std::unique_ptr<TargetFile>(new TierFile(client_, *handle));
}

Result<std::unique_ptr<TargetFile>> DirectTarget::open(const std::string& path) {
  Result<std::unique_ptr<store::BackingFile>> file = store_.open(path);
  if (!file) {
    return file.error();
  }
  return std::unique_ptr<TargetFile>(new DirectFile(*std::move(file)));
}

}  // namespace shift::load
