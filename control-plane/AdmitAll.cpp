#include "control-plane/AdmitAll.h"

namespace shift::control {

void AdmitAll::record(const ReadRequest&, TimePoint) {}

Decision AdmitAll::decide(const ReadRequest& request, double, TimePoint) {
  return {.admit = true, .group = request.block, .score = 0, .reason = Reason::kAdmitAll};
}

bool AdmitAll::reinsert(const BlockId&, TimePoint) {
  return false;
}

}  // namespace shift::control
