#include "common/LatencyHistogram.h"

#include <algorithm>

namespace shift {

void LatencyHistogram::record(Duration took) {
  const auto limit = std::lower_bound(kLimits.begin(), kLimits.end(), took);
  counts_[static_cast<std::size_t>(limit - kLimits.begin())].fetch_add(1, std::memory_order_relaxed);
  nanoseconds_.fetch_add(took.count(), std::memory_order_relaxed);
}

LatencyHistogram::Counts LatencyHistogram::counts() const {
  Counts counts;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    counts.each[i] = counts_[i].load(std::memory_order_relaxed);
  }
  counts.sum = Duration(nanoseconds_.load(std::memory_order_relaxed));
  return counts;
}

}  // namespace shift
