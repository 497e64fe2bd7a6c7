#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backing-store/BackingStore.h"
#include "client-lib/ClientConfig.h"
#include "client-lib/ClientStats.h"
#include "client-lib/Eligibility.h"
#include "client-lib/RangeBytes.h"
#include "common/Clock.h"
#include "common/Result.h"

namespace shift::client {

/** An open file of a Client. Never reused within a client's life, so a stale one is always noticed. */
enum class Handle : std::uint64_t {};

struct OpenOptions {
  /** The training job on whose account is read. Empty: SHIFT_JOB_ID, or the scheduler's variable. */
  std::string job;
  /** For eligibility rules. */
  std::string tag;
  JobClass jobClass = JobClass::kMlTraining;
};

/** One read of a batch. */
struct BatchRead {
  Handle handle{};
  std::span<std::byte> into;
  std::uint64_t offset = 0;
};

/**
 * Reads files of a backing store through the cache tier. A program that reads through it gets the bytes it
 * would get from the backing store itself, in every case: what the tier does not have, or cannot say in time,
 * is read from the backing store. Nothing but the backing store's own errors ever reaches the caller.
 *
 * Thread-safe. Files need not be closed before the client is destroyed, but no call may be under way.
 */
class Client {
 public:
  /** Fails if the configuration does not hold: no such root directory, no ring in the ring file. */
  static Result<std::unique_ptr<Client>> create(const ClientConfig& config);
  /** For those who bring their own store and clock, which must outlive the client. */
  static Result<std::unique_ptr<Client>> create(const ClientConfig& config, const store::BackingStore& store,
                                                const Clock& clock);
  ~Client();

  Result<Handle> open(std::string_view path, const OpenOptions& options = {});
  /** The same of a file that the caller opened: what no node gives is read from it, not from its path. */
  Result<Handle> open(std::string_view path, std::unique_ptr<store::BackingFile> backing,
                      const OpenOptions& options = {});

  Result<store::FileInfo> stat(std::string_view path) const;
  /** Of an open file, as it was when it was opened. */
  Result<store::FileInfo> stat(Handle handle) const;

  /**
   * As pread(2): fills `into` from `offset` on and returns the number of bytes, fewer than asked for only at
   * the end of the file. An unknown handle is EBADF.
   */
  Result<std::size_t> pread(Handle handle, std::span<std::byte> into, std::uint64_t offset);

  /** As preadv(2): the same into several buffers, one after the other. */
  Result<std::size_t> preadv(Handle handle, std::span<const std::span<std::byte>> into, std::uint64_t offset);

  /** Many reads at once, of one file or several: what each would have returned, in their order. */
  std::vector<Result<std::size_t>> readBatch(std::span<const BatchRead> reads);

  /** Says that a range will be read soon. The nodes bring it in if they want it; nothing is waited for but
   * their word. */
  Result<RangeBytes> prefetch(Handle handle, std::uint64_t offset, std::uint64_t length);

  /** What nodes have of a range; nothing is brought in. */
  Result<RangeBytes> probe(Handle handle, std::uint64_t offset, std::uint64_t length);

  Status close(Handle handle);

  /** Whether reads of the file go through the cache now, and why. */
  Result<EligibilityVerdict> eligibility(Handle handle) const;

  /** Where the bytes came from so far. */
  ClientStats stats() const;

  /** Looks for a new ring and new rules at once; in the background it happens every `refresh`. */
  void refresh();

 private:
  class State;
  explicit Client(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace shift::client
