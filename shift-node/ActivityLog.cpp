#include "shift-node/ActivityLog.h"

#include <algorithm>

namespace shift::node {

ActivityLog::ActivityLog(const ActivityPoint& first) : points_{first} {}

void ActivityLog::add(const ActivityPoint& point) {
  std::lock_guard lock(mutex_);
  points_.push_back(point);
  // One point at or beyond the hour's edge stays, so that a whole hour can be told.
  while (points_.size() > 2 && point.at - points_[1].at >= kKept) {
    points_.pop_front();
  }
}

ActivityPoint ActivityLog::before(TimePoint now, Duration span) const {
  std::lock_guard lock(mutex_);
  const auto later = std::ranges::upper_bound(points_, now - span, {}, &ActivityPoint::at);
  return later == points_.begin() ? points_.front() : *std::prev(later);
}

std::vector<ActivityPoint> ActivityLog::after(std::int64_t wallMs) const {
  std::lock_guard lock(mutex_);
  const auto first = std::ranges::upper_bound(points_, wallMs, {}, &ActivityPoint::wallMs);
  return {first, points_.end()};
}

}  // namespace shift::node
