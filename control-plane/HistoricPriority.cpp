#include "control-plane/PriorityPolicy.h"

namespace shift::control {

/** What was read often will be read often: total over unique bytes of the window. */
double historicPriority(const BucketFacts& facts) {
  return facts.uniqueBytes > 0 ? facts.totalBytes / facts.uniqueBytes : 0;
}

}  // namespace shift::control
