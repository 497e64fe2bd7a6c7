#pragma once

#include <cstdint>

#include "backing-store/DiskConfig.h"
#include "backing-store/DiskQueues.h"
#include "common/Clock.h"

namespace shift::store {

/**
 * When reads of a set of hard disks would be done. Each disk serves its reads one after the other in the
 * order in which they were booked, and rests only when it has none. Time is an argument. Thread-safe.
 */
class DiskModel {
 public:
  /** There must be at least one disk. The queues are this process's own, unless some are handed in. */
  explicit DiskModel(const DiskConfig& config) : DiskModel(config, DiskQueues(config.disks)) {}
  DiskModel(const DiskConfig& config, DiskQueues queues) : config_(config), queues_(std::move(queues)) {}

  std::uint32_t disks() const { return queues_.disks(); }

  /** Books a read that arrives at `arrival`. */
  DiskBooking book(TimePoint arrival, std::uint32_t disk, std::uint64_t bytes) {
    return queues_.book(disk, arrival, config_.serviceTime(bytes));
  }

 private:
  const DiskConfig config_;
  DiskQueues queues_;
};

}  // namespace shift::store
