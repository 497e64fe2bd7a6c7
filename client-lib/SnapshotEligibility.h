#pragma once

#include "client-lib/Eligibility.h"
#include "gms/Snapshot.h"

namespace shift::client {

/** What may go through the cache by the rules and tables that the GMS holds. */
Eligibility eligibilityOf(const gms::Snapshot& snapshot, const DiskFleet& disks);

}  // namespace shift::client
