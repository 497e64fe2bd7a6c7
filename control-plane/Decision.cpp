#include "control-plane/Decision.h"

namespace shift::control {

std::string_view toString(Reason reason) {
  switch (reason) {
    case Reason::kAdmitAll:
      return "admit-all";
  }
  return "unknown";
}

}  // namespace shift::control
