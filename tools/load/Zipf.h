#pragma once

#include <cstdint>

#include "tools/load/Draw.h"

namespace shift::load {

/**
 * Ranks from 0 to count − 1, of which rank k comes in proportion to 1 / (k + 1)^exponent. Exact for any
 * exponent from 0 (all alike) up, in constant time and memory however many ranks there are: rejection
 * inversion, after Hörmann and Derflinger (1996). Immutable.
 */
class Zipf {
 public:
  Zipf(std::uint64_t count, double exponent);

  std::uint64_t rank(Draw& draw) const;

 private:
  /** The integral of x^−exponent up to a constant, and its inverse. */
  double integral(double x) const;
  double inverseIntegral(double area) const;
  double density(double x) const;

  const double count_;
  const double exponent_;
  const double areaBegin_;
  const double areaEnd_;
  const double alwaysTaken_;  // so near below its rank, a draw needs no further test
};

/** A permutation of 0 … count − 1 that follows from the seed, so that popular items lie anywhere. */
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed);
  std::uint64_t at(std::uint64_t index) const;

 private:
  const std::uint64_t count_;
  std::uint64_t factor_;
  std::uint64_t shift_;
};

}  // namespace shift::load
