#include "control-plane/PriorityPolicy.h"

namespace shift::control {

/** The jobs that still have the bucket before them. */
double futurePriority(const BucketFacts& facts) {
  return facts.futureJobs;
}

}  // namespace shift::control
