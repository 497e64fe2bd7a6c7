#pragma once

#include <map>
#include <string>
#include <vector>

#include "control-plane/JobSpec.h"
#include "thrift/gms_types.h"

namespace shift::node {

/** A job of the GMS as the control plane knows it. */
control::JobSpec toSpec(const wire::Job& job);

/**
 * Compares what the GMS lists now with what it listed before. The answer is what the control plane has to be
 * told: jobs that are new or changed, and those that are not listed any more, as finished. One thread.
 */
class SpecFollower {
 public:
  /** `active`: the jobs that are queued or running. */
  std::vector<control::JobSpec> changes(const std::vector<wire::Job>& active);

 private:
  std::map<std::string, control::JobSpec> known_;
};

}  // namespace shift::node
