#include <algorithm>

#include "control-plane/PriorityPolicy.h"

namespace shift::control {

/** Whichever of past and future promises more. */
double hybridPriority(const BucketFacts& facts) {
  return std::max(historicPriority(facts), futurePriority(facts));
}

}  // namespace shift::control
