#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "shift-node/engine/flash/AlignedBuffer.h"
#include "shift-node/engine/flash/Device.h"
#include "shift-node/engine/flash/JournalFormat.h"

namespace shift::node {

struct JournalGeometry {
  std::uint64_t firstByte = 0;
  std::uint32_t pages = 0;  // at least Journal::kMinPages
  std::uint64_t formatId = 0;
};

/**
 * The durable index of one device: a ring of pages to which records are appended in the order in which things
 * happened. A restart gets back the state as it was at some moment not before the last drain(), never a
 * mixture of two moments.
 *
 * Pages are written strictly one batch after the other. Before the ring runs out, the oldest pages are
 * cleaned: what is still true of them is appended again, made durable, and only then are they given up. A
 * removal needs no cleaning, because whatever it revokes is older and already gone.
 *
 * append() may be called from any thread and does no I/O. drain() and recover() do, on the caller's thread.
 */
class Journal {
 public:
  static constexpr std::uint32_t kBatchPages = 16;
  /** Pages kept free for the cleaner's own writes. */
  static constexpr std::uint32_t kReservePages = 3 * kBatchPages;
  static constexpr std::uint32_t kMinPages = 8 * kBatchPages;

  /** Asked about a record that is about to be given up: what to keep in its place, or nothing if it is no
   * longer true. If `mustForget`, the ring is full of what is true: the segment has to go, and the answer is
   * not kept. */
  using Keep = std::function<std::optional<InsertRecord>(const InsertRecord& old, bool mustForget)>;

  Journal(Device& device, JournalGeometry geometry);

  /** Reads the whole ring and replays it in order. Once, before the first append(). */
  Status recover(const std::function<void(const JournalRecord&)>& visit);

  void append(const JournalRecord& record);

  /** Writes out what was appended before the call and makes it durable. If it fails, nothing is lost: the
   * next call tries again. One call at a time does the work; others wait. */
  Status drain(const Keep& keep);

  std::size_t pendingBytes() const { return pendingBytes_.load(std::memory_order_relaxed); }
  std::uint64_t writtenBytes() const { return writtenBytes_.load(std::memory_order_relaxed); }

 private:
  struct Seen {
    std::uint64_t sequence = 0;  // 0 = no page
    std::uint64_t tail = 0;
    std::uint64_t unsyncedFrom = 0;
  };
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };

  std::uint64_t offsetOf(std::uint64_t sequence) const;
  std::uint32_t pagesToEnd(std::uint64_t sequence) const;
  std::uint32_t freePages() const;

  Status survey(std::vector<Seen>& pages);
  Range newestRun(const std::vector<Seen>& pages) const;
  Status eraseFrom(const std::vector<Seen>& pages, std::uint64_t sequence);
  Status replay(const std::function<void(const JournalRecord&)>& visit);

  Status makeRoom(const Keep& keep);
  Status clean(const Keep& keep, bool mustForget);
  /** Packs as many records as one batch holds and writes them; what is left stays in `stream`. */
  Status writeBatch(std::span<const std::byte>& stream);
  Status writePages();
  Status syncPages();

  Device& device_;
  const JournalGeometry geometry_;

  std::mutex drainMutex_;   // one drain at a time; guards what follows. Never taken by append().
  std::uint64_t head_ = 1;  // the next sequence number to be written
  std::uint64_t tail_ = 1;  // the oldest still needed
  std::uint64_t unsyncedFrom_ = 1;
  AlignedBuffer batchMemory_;
  std::span<std::byte> unwritten_;  // pages that failed to be written, to be repeated exactly

  std::mutex pendingMutex_;
  std::vector<std::byte> pending_;
  std::atomic<std::size_t> pendingBytes_{0};
  std::atomic<std::uint64_t> writtenBytes_{0};
};

}  // namespace shift::node
