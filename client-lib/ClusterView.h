#pragma once

#include <map>
#include <memory>

#include "client-lib/Eligibility.h"
#include "client-lib/NodeClient.h"
#include "ring/Ring.h"

namespace shift::client {

/** What a client knows of the tier at one moment: immutable, so a read goes by one view from begin to end. */
struct ClusterView {
  ring::Ring ring;
  /** By the members of `ring`. Null: known to be down; it keeps its share but is not asked. */
  std::map<const ring::Member*, std::shared_ptr<NodeClient>> nodes;
  Eligibility eligibility;
};

}  // namespace shift::client
