#pragma once

#include <set>
#include <string>

#include "gms/Snapshot.h"
#include "ring/Ring.h"

namespace shift::gms {

/** The ring that the GMS's members make. */
struct MemberRing {
  ring::Ring ring;
  std::set<std::string> down;  // keep their share, so that no data moves, but are not to be asked
};

/** Members that drain own nothing. One whose address makes no sense is left out, with a warning. */
MemberRing memberRingOf(const Snapshot& snapshot);

}  // namespace shift::gms
