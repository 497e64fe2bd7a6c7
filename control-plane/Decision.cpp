#include "control-plane/Decision.h"

namespace shift::control {

std::string_view toString(Reason reason) {
  switch (reason) {
    case Reason::kAdmitAll:
      return "admit-all";
    case Reason::kAboveThreshold:
      return "above-threshold";
    case Reason::kBelowThreshold:
      return "below-threshold";
    case Reason::kUsedSoon:
      return "used-soon";
    case Reason::kRoomLeft:
      return "room-left";
    case Reason::kBeyondHorizon:
      return "beyond-horizon";
    case Reason::kUsedTooLate:
      return "used-too-late";
  }
  return "unknown";
}

}  // namespace shift::control
