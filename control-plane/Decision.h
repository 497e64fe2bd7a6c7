#pragma once

#include <string_view>

#include "blocks/BlockId.h"

namespace shift::control {

/** Why a miss was admitted or refused. Every refusal reaches the client with its reason. */
enum class Reason {
  kAdmitAll,  // the policy admits everything
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
