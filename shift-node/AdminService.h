#pragma once

#include <string>
#include <vector>

#include "backing-store/BackingStore.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "control-plane/ControlPlane.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/control/LiveParameters.h"
#include "shift-node/engine/Engine.h"
#include "thrift/NodeAdmin.h"

namespace shift::node {

/** What an operator can ask of a running node, and change in it, over Thrift. */
class AdminService final : public wire::NodeAdminIf {
 public:
  struct Parts {
    std::string id;
    std::uint32_t segmentSize = 0;
    std::uint64_t blockSize = 0;
    const Engine& engine;
    const TrafficLedger& ledger;
    const CounterRegistry& counters;
    const store::BackingStore& store;
    const Clock& clock;
    // Null with admit-all.
    const control::ControlPlane* plane;
    LiveParameters* parameters;
  };
  explicit AdminService(const Parts& parts) : parts_(parts) {}

  void getStatus(wire::NodeStatus& status) override;
  void getCounters(std::vector<wire::NodeCounter>& counters) override;
  void getTrafficByBucket(std::vector<wire::Traffic>& traffic) override;
  void getTrafficByJob(std::vector<wire::Traffic>& traffic) override;
  void getParameters(std::vector<wire::NodeParameter>& parameters) override;
  void setParameters(const std::map<std::string, std::string>& values) override;
  void explain(wire::Explanation& explanation, const std::string& path, std::int64_t offset,
               const std::string& job) override;

 private:
  const Parts parts_;
};

}  // namespace shift::node
