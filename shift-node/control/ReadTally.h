#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "control-plane/AdmissionPolicy.h"

namespace shift::node {

/**
 * Counts which job asked for how much in which directory, on its way to the policy that decides: it stands
 * before that one and changes nothing. Bounded; what does not fit is counted as dropped. Thread-safe.
 */
class ReadTally final : public control::AdmissionPolicy {
 public:
  /** Borrows the policy, which must outlive it. */
  explicit ReadTally(control::AdmissionPolicy& policy) : policy_(policy) {}

  void record(const control::ReadRequest& request, TimePoint now) override;
  control::Decision decide(const control::ReadRequest& request, double evictionFloor,
                           TimePoint now) override {
    return policy_.decide(request, evictionFloor, now);
  }
  bool reinsert(const BlockId& group, TimePoint now) override { return policy_.reinsert(group, now); }

  struct Reader {
    std::string job;  // may be empty: nobody said
    std::string store;
    std::string directory;  // never empty: files at the store's root belong to no table

    auto operator<=>(const Reader&) const = default;
  };
  using Bytes = std::map<Reader, std::uint64_t>;

  /** All since the last call. */
  Bytes take();
  /** Requests that were not counted because there was no room. */
  std::uint64_t dropped() const;

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kReadersPerShard = 8192;
  struct Shard {
    mutable std::mutex mutex;
    Bytes bytes;
    std::uint64_t dropped = 0;
  };

  control::AdmissionPolicy& policy_;
  std::array<Shard, kShards> shards_;
};

}  // namespace shift::node
