#include "control-plane/Explanation.h"

#include <cmath>
#include <iomanip>
#include <sstream>

#include "common/ByteSize.h"
#include "control-plane/PriorityPolicy.h"

namespace shift::control {

std::string Explanation::inWords() const {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2);
  text << "Bucket " << bucket << ": " << formatByteSize(totalBytes) << " read in the window, "
       << formatByteSize(uniqueBytes) << " of it different. Priorities: historic " << historic << ", future "
       << future << ", hybrid " << hybrid << ". ";
  const PriorityPolicy* used = findPolicy(policy);
  if (used != nullptr && used->plansBlocks) {
    if (nextUseIsGuess) {
      text << "Policy " << policy << ": nobody is known to read this block again. ";
    } else {
      text << "Policy " << policy << ": the block is next read in " << secondsToNextUse << " s, "
           << knownReaders << " known reader(s) to come. ";
    }
    if (std::isfinite(thresholds.horizonSeconds)) {
      text << "Flash writes are limited to what is used within " << thresholds.horizonSeconds
           << " s times the readers to come. ";
    }
    if (std::isinf(evictionFloor)) {
      text << "The cache has room. ";
    }
  } else {
    text << "Policy " << policy << ": priority " << priority << " against an admit threshold of "
         << thresholds.admit << " (reinsert " << thresholds.reinsert << "). ";
  }
  text << (decision.admit ? "A miss is admitted: " : "A miss is refused: ") << toString(decision.reason)
       << ".";
  return text.str();
}

}  // namespace shift::control
