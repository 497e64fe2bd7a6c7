#pragma once

#include <string>
#include <vector>

#include "thrift/gms_types.h"

namespace shift::gms {

/** Everything that is wrong with a job as a caller sent it; empty if it can be stored. */
std::vector<std::string> faultsOf(const wire::Job& job);

/** The job as it is stored and compared: directories normalised, what the store itself sets removed. */
wire::Job normalised(const wire::Job& job);

/** Whether two normalised jobs ask for the same thing. */
bool sameBody(const wire::Job& a, const wire::Job& b);

}  // namespace shift::gms
