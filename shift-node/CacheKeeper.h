#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "backing-store/BackingStore.h"
#include "common/Result.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/** What an operator does with a cache by hand. Thread-safe; borrows its parts. */
class CacheKeeper {
 public:
  struct Parts {
    Engine& engine;
    const store::BackingStore& store;
    std::uint64_t blockSize = 0;
    std::uint32_t segmentSize = 0;
  };
  explicit CacheKeeper(const Parts& parts) : parts_(parts) {}

  struct Evicted {
    std::uint64_t files = 0;
    std::uint64_t segments = 0;
    std::uint64_t bytes = 0;
  };
  /**
   * Forgets what is cached of a file as it is now in the store, or of all files at or below a directory.
   * What is cached of files that have since been replaced or removed cannot be asked for any more and leaves
   * by itself.
   */
  Result<Evicted> evict(const std::string& path);
  /** Forgets all. */
  Evicted evictAll();

  struct Step {
    Verified verified;
    std::uint64_t failures = 0;
    std::string cursor;  // where to go on; empty at the end
  };
  /** Reads and checks the next few segments from the cursor on; an empty one is the beginning. */
  Result<Step> verify(const std::string& cursor);

  /** Bytes cached of a block that is so long. */
  std::uint64_t cachedBytes(const BlockId& block, std::uint64_t blockLength) const;

 private:
  void evictFile(const std::string& path, const store::FileInfo& info, Evicted& evicted);

  const Parts parts_;
  std::mutex verifyMutex_;
  std::size_t part_ = 0;
  std::vector<SegmentKey> keys_;  // of that part, since somebody began to verify it
};

}  // namespace shift::node
