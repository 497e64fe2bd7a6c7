#pragma once

#include <cstdint>
#include <vector>

#include "backing-store/DiskConfig.h"
#include "common/Clock.h"

namespace shift::store {

/**
 * When reads of a set of hard disks would be done. Each disk serves its reads one after the other in the
 * order in which they were booked, and rests only when it has none. Pure: time is an argument. One thread.
 */
class DiskModel {
 public:
  /** When the head turns to a read, and when it is done with it. */
  struct Booking {
    TimePoint begin;
    TimePoint end;
  };

  /** There must be at least one disk. */
  explicit DiskModel(const DiskConfig& config);

  std::uint32_t disks() const { return static_cast<std::uint32_t>(freeAt_.size()); }

  /** Books a read that arrives at `arrival`, not before the last one booked on this disk did. */
  Booking book(TimePoint arrival, std::uint32_t disk, std::uint64_t bytes);

 private:
  const DiskConfig config_;
  std::vector<TimePoint> freeAt_;  // by disk: when it will have served all that is booked
};

}  // namespace shift::store
