#pragma once

#include <string>

#include "common/Result.h"
#include "gms/GmsClient.h"
#include "tools/cluster/LocalCluster.h"

namespace shift::demo {

/** What the cluster's nodes have absorbed, gathered from their admin services: per job, per bucket, per node.
 */
Result<std::string> reportAbsorbed(const tools::LocalCluster& cluster);

/** The jobs as the GMS knows them. */
Result<std::string> reportJobs(gms::GmsClient& gms);

}  // namespace shift::demo
