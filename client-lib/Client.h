#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backing-store/BackingStore.h"
#include "client-lib/ClientConfig.h"
#include "client-lib/ClientStats.h"
#include "common/Clock.h"
#include "common/Result.h"

namespace shift::client {

/** An open file of a Client. Never reused within a client's life, so a stale one is always noticed. */
enum class Handle : std::uint64_t {};

struct OpenOptions {
  /** The training job on whose account is read. Empty: SHIFT_JOB_ID, or the scheduler's variable. */
  std::string job;
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

  Result<store::FileInfo> stat(std::string_view path) const;

  /**
   * As pread(2): fills `into` from `offset` on and returns the number of bytes, fewer than asked for only at
   * the end of the file. An unknown handle is EBADF.
   */
  Result<std::size_t> pread(Handle handle, std::span<std::byte> into, std::uint64_t offset);

  Status close(Handle handle);

  /** Where the bytes came from so far. */
  ClientStats stats() const;

 private:
  class State;
  explicit Client(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace shift::client
