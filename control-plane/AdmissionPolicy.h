#pragma once

#include "common/Clock.h"
#include "control-plane/Decision.h"
#include "control-plane/ReadRequest.h"

namespace shift::control {

/**
 * What the data plane asks of the control plane. Pure: no threads, no I/O, no clock of its own; time comes in
 * as an argument. record() and decide() are called from many threads at once and must not block.
 */
class AdmissionPolicy {
 public:
  virtual ~AdmissionPolicy() = default;

  /** Every request, once, whatever becomes of it. */
  virtual void record(const ReadRequest& request, TimePoint now) = 0;

  /**
   * Asked when a segment of the request is missing, before anything is fetched. `evictionFloor` is the worst
   * score the engine holds: what scores below it would be the first to leave again.
   */
  virtual Decision decide(const ReadRequest& request, double evictionFloor, TimePoint now) = 0;

  /** Whether a segment of this group that is about to leave flash should be written again. */
  virtual bool reinsert(const BlockId& group, TimePoint now) = 0;
};

}  // namespace shift::control
