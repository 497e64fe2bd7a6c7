#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/Clock.h"
#include "common/Result.h"

namespace shift::store {

/** When the head of a disk turns to a read, and when it is done with it. */
struct DiskBooking {
  TimePoint begin;
  TimePoint end;
};

/**
 * The queues of a set of disks: for each, when it will have served all that is booked on it. They lie in this
 * process's memory, or in a file that several processes of one machine map, who then wait for each other's
 * reads as they would if the disks were real. Thread-safe, and without locks.
 */
class DiskQueues {
 public:
  /** Of this process alone. */
  explicit DiskQueues(std::uint32_t disks);

  /**
   * Those in a file, which is made if it is not there. Everybody must ask for the same number of disks, and
   * by the same clock: a file from before the machine's last start is of another time.
   */
  static Result<DiskQueues> shared(const std::string& path, std::uint32_t disks);

  std::uint32_t disks() const { return static_cast<std::uint32_t>(freeAt_.size()); }

  /** Puts a read that arrives at `arrival` at the end of a disk's queue. */
  DiskBooking book(std::uint32_t disk, TimePoint arrival, Duration service);

 private:
  using FreeAt = std::atomic<Duration::rep>;  // nanoseconds of the clock
  static_assert(FreeAt::is_always_lock_free, "processes share it");

  DiskQueues(std::shared_ptr<void> memory, std::span<FreeAt> freeAt)
      : memory_(std::move(memory)), freeAt_(freeAt) {}

  std::shared_ptr<void> memory_;
  std::span<FreeAt> freeAt_;  // by disk
};

}  // namespace shift::store
