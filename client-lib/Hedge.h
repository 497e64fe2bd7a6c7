#pragma once

#include "common/Clock.h"

namespace shift::client {

/**
 * How long a node's answers usually take: a moving mean and deviation, as TCP keeps of its round trips. Pure.
 * Not thread-safe.
 */
class LatencyEstimate {
 public:
  void add(Duration took);
  /** An answer that takes longer is unusual. Zero before the first. */
  Duration unusual() const;

 private:
  double mean_ = 0;
  double deviation_ = 0;
  bool isEmpty_ = true;
};

/**
 * Bounds extra reads to a share of all: each get earns a part of a hedge, a hedge costs a whole one. What is
 * not used is kept, up to a few, so that a node that stalls after a quiet time is hedged at once. Pure. Not
 * thread-safe.
 */
class HedgeBudget {
 public:
  /** `share`: hedges per get, 0.05 for 5 %. */
  explicit HedgeBudget(double share) : share_(share) {}

  void earn(std::size_t gets);
  /** Takes that many if there are as many. */
  bool spend(std::size_t hedges);

 private:
  static constexpr double kMost = 16;

  const double share_;
  double saved_ = 0;
};

}  // namespace shift::client
