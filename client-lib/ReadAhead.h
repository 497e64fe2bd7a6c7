#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace shift::client {

/** Threads and memory that all read-ahead of a client shares. Thread-safe. */
class ReadAheadPool {
 public:
  ReadAheadPool(std::uint32_t threads, std::uint64_t maxBytes);
  /** Lets what is under way finish; what is queued is never begun. */
  ~ReadAheadPool();

  /** Room for that many bytes, until giveBack(); false if there is none. */
  bool reserve(std::uint64_t bytes);
  void giveBack(std::uint64_t bytes);
  void run(std::function<void()> task);

 private:
  void work();

  const std::uint64_t maxBytes_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::uint64_t usedBytes_ = 0;
  bool stopping_ = false;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
};

/**
 * The stream buffers of one open file. A reader whose reads follow one another is read ahead of, up to a
 * window; the first read that does not follow cancels it. What is read ahead is read as any read is.
 * Thread-safe.
 */
class ReadAhead : public std::enable_shared_from_this<ReadAhead> {
 public:
  /** Reads at an offset and tells how many bytes; fewer than asked for means that it failed. */
  using Read = std::function<std::size_t(std::span<std::byte> into, std::uint64_t offset)>;

  ReadAhead(ReadAheadPool& pool, std::uint64_t window, std::uint64_t fileSize, Read read);

  /**
   * Told of every read before it happens. Returns how many bytes of it, from its beginning, stood ready or
   * were on their way and are now in `into`; the caller reads the rest.
   */
  std::size_t take(std::span<std::byte> into, std::uint64_t offset);

  /** No more reads of the file may be begun: it is being closed. Waits for those under way. */
  void cancel();

 private:
  /** Reads in a row after which a reader counts as sequential. */
  static constexpr int kReadsInARow = 3;
  static constexpr std::uint64_t kMaxPieceBytes = 1024 * 1024;

  struct Piece;

  void dropLocked();
  void extendLocked(std::uint64_t from);
  void load(const std::shared_ptr<Piece>& piece);

  ReadAheadPool& pool_;
  const std::uint64_t window_;
  const std::uint64_t pieceBytes_;
  const std::uint64_t fileSize_;
  const Read read_;

  std::mutex mutex_;
  std::condition_variable loaded_;
  std::uint64_t expected_ = 0;  // where the next read of a sequential reader begins
  int inARow_ = 0;
  std::uint64_t end_ = 0;                      // of what has been asked for ahead
  std::deque<std::shared_ptr<Piece>> pieces_;  // ascending, without gaps
  std::uint32_t loading_ = 0;
  bool isClosed_ = false;
};

}  // namespace shift::client
