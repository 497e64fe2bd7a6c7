#pragma once

#include <memory>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "thrift/admin_types.h"

namespace shift::node {

/** Talks to a node's admin service. Connects when first used and again after a failure. Thread-safe. */
class AdminClient {
 public:
  AdminClient(const HostPort& address, Duration timeout);
  ~AdminClient();

  Result<wire::NodeStatus> status();
  Result<std::vector<wire::NodeCounter>> counters();
  Result<std::vector<wire::Traffic>> trafficByBucket();
  Result<std::vector<wire::Traffic>> trafficByJob();

 private:
  struct Channel;
  std::unique_ptr<Channel> channel_;
};

}  // namespace shift::node
