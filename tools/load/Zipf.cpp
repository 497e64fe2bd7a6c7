#include "tools/load/Zipf.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shift::load {
namespace {

/** (e^x − 1) / x and log(1 + x) / x, also where x is next to nothing: an exponent near 1. */
double expm1OverX(double x) {
  return std::abs(x) > 1e-8 ? std::expm1(x) / x : 1 + x / 2;
}
double log1pOverX(double x) {
  return std::abs(x) > 1e-8 ? std::log1p(x) / x : 1 - x / 2;
}

}  // namespace

// Rank k, from 1 here, stands for the area of the density over [k − ½, k + ½], except for the first, whose
// area begins so that it is exactly density(1).
Zipf::Zipf(std::uint64_t count, double exponent)
    : count_(static_cast<double>(count)),
      exponent_(exponent),
      areaBegin_(integral(1.5) - 1),
      areaEnd_(integral(count_ + 0.5)),
      alwaysTaken_(2 - inverseIntegral(integral(2.5) - density(2))) {}

std::uint64_t Zipf::rank(Draw& draw) const {
  for (;;) {
    const double area = areaEnd_ + draw.unit() * (areaBegin_ - areaEnd_);
    const double x = inverseIntegral(area);
    const double k = std::clamp(std::floor(x + 0.5), 1.0, count_);
    // The density bends, so the area over a rank is larger than its share: the surplus is drawn again.
    if (k - x <= alwaysTaken_ || area >= integral(k + 0.5) - density(k)) {
      return static_cast<std::uint64_t>(k) - 1;
    }
  }
}

double Zipf::integral(double x) const {
  const double log = std::log(x);
  return expm1OverX((1 - exponent_) * log) * log;
}

double Zipf::inverseIntegral(double area) const {
  const double scaled = std::max(area * (1 - exponent_), -1.0);  // rounding may lead a hair beyond
  return std::exp(log1pOverX(scaled) * area);
}

double Zipf::density(double x) const {
  return std::exp(-exponent_ * std::log(x));
}

Permutation::Permutation(std::uint64_t count, std::uint64_t seed) : count_(count) {
  Draw draw(seed);
  shift_ = draw.below(count);
  do {
    factor_ = 1 + draw.below(count);
  } while (std::gcd(factor_, count) != 1);
}

std::uint64_t Permutation::at(std::uint64_t index) const {
  const Product product = static_cast<Product>(index) * factor_ + shift_;
  return static_cast<std::uint64_t>(product % count_);
}

}  // namespace shift::load
