#pragma once

#include <memory>
#include <span>
#include <string>

#include "backing-store/BackingStore.h"
#include "client-lib/Client.h"

namespace shift::load {

/** An open file of a target. Closing is the destructor's. One thread. */
class TargetFile {
 public:
  virtual ~TargetFile() = default;
  /** As pread(2). */
  virtual Result<std::size_t> read(std::span<std::byte> into, std::uint64_t offset) = 0;
};

/** Where the readers of a job get their bytes from. Thread-safe; outlives its files. */
class ReadTarget {
 public:
  virtual ~ReadTarget() = default;
  virtual Result<std::unique_ptr<TargetFile>> open(const std::string& path) = 0;
};

/** Through the tier, on the account of a job. */
class TierTarget final : public ReadTarget {
 public:
  TierTarget(client::Client& client, std::string job) : client_(client), job_(std::move(job)) {}
  Result<std::unique_ptr<TargetFile>> open(const std::string& path) override;

 private:
  client::Client& client_;
  const std::string job_;
};

/** From the backing store, as if there were no tier. */
class DirectTarget final : public ReadTarget {
 public:
  explicit DirectTarget(const store::BackingStore& store) : store_(store) {}
  Result<std::unique_ptr<TargetFile>> open(const std::string& path) override;

 private:
  const store::BackingStore& store_;
};

}  // namespace shift::load
