#include "client-lib/Hedge.h"

#include <algorithm>
#include <cmath>

namespace shift::client {

void LatencyEstimate::add(Duration took) {
  const auto value = static_cast<double>(took.count());
  if (isEmpty_) {
    mean_ = value;
    deviation_ = value / 2;
    isEmpty_ = false;
    return;
  }
  deviation_ += (std::abs(value - mean_) - deviation_) / 4;
  mean_ += (value - mean_) / 8;
}

Duration LatencyEstimate::unusual() const {
  return Duration(static_cast<Duration::rep>(mean_ + 4 * deviation_));
}

void HedgeBudget::earn(std::size_t gets) {
  saved_ = std::min(kMost, saved_ + share_ * static_cast<double>(gets));
}

bool HedgeBudget::spend(std::size_t hedges) {
  const auto cost = static_cast<double>(hedges);
  if (saved_ < cost) {
    return false;
  }
  saved_ -= cost;
  return true;
}

}  // namespace shift::client
