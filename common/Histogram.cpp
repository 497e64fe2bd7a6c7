#include "common/Histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace shift {

// A value of 8 or more bits is its 8 leading bits, the first of which is a one, and a shift: the bucket is
// the shift and the 7 bits after the first. Values of fewer bits are their own buckets.
std::size_t Histogram::bucketOf(std::uint64_t value) {
  if (value < kSteps) {
    return value;
  }
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - (kStepBits + 1);
  return (shift + 1) * kSteps + ((value >> shift) - kSteps);
}

std::uint64_t Histogram::highestIn(std::size_t bucket) {
  if (bucket < kSteps) {
    return bucket;
  }
  const std::size_t shift = bucket / kSteps - 1;
  const std::uint64_t leading = kSteps + bucket % kSteps;
  return (leading << shift) + ((std::uint64_t{1} << shift) - 1);
}

void Histogram::record(std::uint64_t value) {
  ++counts_[bucketOf(value)];
  ++count_;
  max_ = std::max(max_, value);
  sum_ += static_cast<double>(value);
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    counts_[bucket] += other.counts_[bucket];
  }
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
}

double Histogram::mean() const {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

std::uint64_t Histogram::quantile(double q) const {
  const double wanted = std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_));
  const std::uint64_t rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts_[bucket];
    if (seen >= rank) {
      return std::min(highestIn(bucket), max_);
    }
  }
  return max_;
}

}  // namespace shift
