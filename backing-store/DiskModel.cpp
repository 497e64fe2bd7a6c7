#include "backing-store/DiskModel.h"

#include <algorithm>

namespace shift::store {

DiskModel::DiskModel(const DiskConfig& config) : config_(config), freeAt_(config.disks, TimePoint::min()) {}

DiskModel::Booking DiskModel::book(TimePoint arrival, std::uint32_t disk, std::uint64_t bytes) {
  TimePoint& freeAt = freeAt_.at(disk);
  const TimePoint begin = std::max(arrival, freeAt);
  freeAt = begin + config_.serviceTime(bytes);
  return {begin, freeAt};
}

}  // namespace shift::store
