#pragma once

#include <string_view>

#include "blocks/BlockId.h"

namespace shift::control {

/** Why a miss was admitted or refused. Every refusal reaches the client with its reason. */
enum class Reason {
  kAdmitAll,        // the policy admits everything
  kAboveThreshold,  // the bucket's priority is above AdmitThreshold
  kBelowThreshold,  // it is not
  kUsedSoon,        // the block will be used, sooner than what it displaces
  kRoomLeft,        // nobody is known to come for the block, but there is room
  kBeyondHorizon,   // the block's next use is too far ahead for what flash may be written with
  kUsedTooLate,     // all that is held will be used sooner
};

std::string_view toString(Reason reason);

/** What to do with a missing segment of a request. */
struct Decision {
  bool admit = false;
  BlockId group;     // what the engine scores together: the block
  double score = 0;  // the group's score if it is admitted; higher stays longer
  Reason reason = Reason::kAdmitAll;
};

}  // namespace shift::control
