#pragma once

#include "gms/GmsClient.h"
#include "tools/cluster/LocalCluster.h"

namespace shift::tools {

/** Tells the GMS of all nodes of a cluster: by it the dashboard and shiftctl find them. */
Status enlistNodes(gms::GmsClient& gms, const LocalCluster& cluster);

}  // namespace shift::tools
