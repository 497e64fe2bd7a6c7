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
  } else if (used != nullptr && used->admitsAll) {
    text << "Policy " << policy << " decides by none of these. ";
  } else {
    text << "Policy " << policy << ": priority " << priority << " against an admit threshold of "
         << thresholds.admit << " (reinsert " << thresholds.reinsert << "). ";
  }
  text << (decision.admit ? "A miss is admitted: " : "A miss is refused: ") << toString(decision.reason)
       << ".";
  return text.str();
}

std::string Explanation::remedy() const {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2);
  switch (decision.reason) {
    case Reason::kAdmitAll:
      text << "Refused it would be by another policy.name only.";
      break;
    case Reason::kAboveThreshold:
      text
          << "It would be refused if the admit threshold rose to " << priority
          << ": by policy.min_admit_threshold, or by the tuner when more is written than policy.write_limit.";
      break;
    case Reason::kBelowThreshold:
      text << "It would be admitted if the bucket's priority rose above " << thresholds.admit
           << " (more jobs that read the same bytes or, with future and hybrid, that announce the bucket), "
              "or if "
              "policy.min_admit_threshold were set below "
           << priority << " and the write rate allowed it.";
      break;
    case Reason::kUsedSoon:
      text << "It would be refused if all that is held were used sooner"
           << (std::isfinite(thresholds.horizonSeconds) ? ", or if the horizon shrank." : ".");
      break;
    case Reason::kRoomLeft:
      text << "It would be refused once the cache is full, unless a job announces it before.";
      break;
    case Reason::kBeyondHorizon:
      text << "It would be admitted if its next use came sooner, if more jobs announced it, or if "
              "policy.write_limit were raised.";
      break;
    case Reason::kUsedTooLate:
      text << "It would be admitted if a job that reads it sooner announced it, or if the cache were larger.";
      break;
  }
  return text.str();
}

}  // namespace shift::control
