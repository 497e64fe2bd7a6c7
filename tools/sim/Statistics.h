#pragma once

#include <cmath>
#include <vector>

namespace shift::sim {

/** Mean and spread of what several seeds gave. */
class Statistics {
 public:
  void add(double value) { values_.push_back(value); }
  double mean() const {
    double sum = 0;
    for (const double value : values_) {
      sum += value;
    }
    return values_.empty() ? 0 : sum / static_cast<double>(values_.size());
  }
  /** Sample standard deviation; 0 for a single value. */
  double spread() const {
    if (values_.size() < 2) {
      return 0;
    }
    double squares = 0;
    for (const double value : values_) {
      squares += (value - mean()) * (value - mean());
    }
    return std::sqrt(squares / static_cast<double>(values_.size() - 1));
  }

 private:
  std::vector<double> values_;
};

}  // namespace shift::sim
