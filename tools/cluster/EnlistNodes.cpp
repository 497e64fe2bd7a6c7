#include "tools/cluster/EnlistNodes.h"

namespace shift::tools {

Status enlistNodes(gms::GmsClient& gms, const LocalCluster& cluster) {
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    wire::RingMember member;
    member.__set_id(cluster.nodeName(i));
    member.__set_address(toString(cluster.nodeAddress(i)));
    member.__set_adminAddress(toString(cluster.adminAddress(i)));
    if (const Result<wire::RingMember> stored = gms.putMember(member); !stored) {
      return stored.error();
    }
  }
  return {};
}

}  // namespace shift::tools
