#pragma once

#include <string>

#include "control-plane/Decision.h"
#include "control-plane/ThresholdTuner.h"

namespace shift::control {

/** Everything that a decision rests on, at the moment it was asked for. */
struct Explanation {
  std::string policy;
  std::string bucket;
  double totalBytes = 0;
  double uniqueBytes = 0;
  double historic = 0;
  double future = 0;
  double hybrid = 0;
  double priority = 0;  // by the policy in force
  Thresholds thresholds;
  double evictionFloor = 0;
  // `planned` only:
  double secondsToNextUse = 0;
  unsigned knownReaders = 0;
  bool nextUseIsGuess = true;
  Decision decision;

  /** A few sentences for people. */
  std::string inWords() const;
  /** What would have to change for the other decision; one sentence. */
  std::string remedy() const;
};

}  // namespace shift::control
