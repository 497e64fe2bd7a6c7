#pragma once

#include "control-plane/AdmissionPolicy.h"

namespace shift::test {

/** Admits everything with one score and remembers nothing, where a test is not about decisions. */
class AdmitAll final : public control::AdmissionPolicy {
 public:
  void record(const control::ReadRequest& /*request*/, TimePoint /*now*/) override {}
  control::Decision decide(const control::ReadRequest& request, double /*evictionFloor*/,
                           TimePoint /*now*/) override {
    return {.admit = true, .group = request.block, .score = 0, .reason = control::Reason::kAdmitAll};
  }
  bool reinsert(const BlockId& /*group*/, TimePoint /*now*/) override { return false; }
};

}  // namespace shift::test
