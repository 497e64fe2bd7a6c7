#pragma once

#include "control-plane/AdmissionPolicy.h"

namespace shift::control {

/** Admits everything with one score, so that the engine evicts by recency alone: the baseline to beat. */
class AdmitAll final : public AdmissionPolicy {
 public:
  void record(const ReadRequest& request, TimePoint now) override;
  Decision decide(const ReadRequest& request, double evictionFloor, TimePoint now) override;
  bool reinsert(const BlockId& group, TimePoint now) override;
};

}  // namespace shift::control
