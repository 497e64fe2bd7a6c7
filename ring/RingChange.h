#pragma once

#include <string>
#include <vector>

#include "ring/Ring.h"

namespace shift::ring {

/** What another ring would mean for one member, in shares of all blocks. */
struct ShareChange {
  std::string id;
  double before = 0;  // owned
  double after = 0;
  double gained = 0;  // from others; what it loses is before + gained - after
};

struct RingChange {
  double moved = 0;                  // share of all blocks that have another owner
  std::vector<ShareChange> members;  // of either ring, by id
};

/** Looked at in a quarter of a million places: shares are right to about a thousandth. */
RingChange compare(const Ring& before, const Ring& after);

}  // namespace shift::ring
