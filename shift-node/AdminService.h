#pragma once

#include <string>
#include <vector>

#include "common/Counters.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/engine/Engine.h"
#include "thrift/NodeAdmin.h"

namespace shift::node {

/** What an operator can ask of a running node, over Thrift. Reads only. */
class AdminService final : public wire::NodeAdminIf {
 public:
  struct Parts {
    std::string id;
    std::string policy;
    std::uint32_t segmentSize = 0;
    const Engine& engine;
    const TrafficLedger& ledger;
    const CounterRegistry& counters;
  };
  explicit AdminService(const Parts& parts) : parts_(parts) {}

  void getStatus(wire::NodeStatus& status) override;
  void getCounters(std::vector<wire::NodeCounter>& counters) override;
  void getTrafficByBucket(std::vector<wire::Traffic>& traffic) override;
  void getTrafficByJob(std::vector<wire::Traffic>& traffic) override;

 private:
  const Parts parts_;
};

}  // namespace shift::node
