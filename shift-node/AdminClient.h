#pragma once

#include <map>
#include <memory>
#include <string>
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
  Result<std::vector<wire::NodeParameter>> parameters();
  /** An error with all faults if the node refuses; then nothing was changed. */
  Status setParameters(const std::map<std::string, std::string>& values);
  Result<wire::Explanation> explain(const std::string& path, std::uint64_t offset, const std::string& job);

 private:
  struct Channel;
  std::unique_ptr<Channel> channel_;
};

}  // namespace shift::node
