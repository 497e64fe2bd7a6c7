#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backing-store/BackingStore.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "control-plane/ControlPlane.h"
#include "shift-node/CacheKeeper.h"
#include "shift-node/NodeHistory.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/control/LiveParameters.h"
#include "shift-node/control/RequestRecorder.h"
#include "shift-node/engine/Engine.h"
#include "thrift/NodeAdmin.h"

namespace shift::node {

/** What an operator can ask of a running node, and change in it, over Thrift. */
class AdminService final : public wire::NodeAdminIf {
 public:
  struct Parts {
    std::string id;
    HostPort address;  // of the read protocol
    std::uint32_t segmentSize = 0;
    std::uint64_t blockSize = 0;
    std::uint64_t flashEndurance = 0;
    Engine& engine;
    const TrafficLedger& ledger;
    const CounterRegistry& counters;
    const store::BackingStore& store;
    const Clock& clock;
    const control::ControlPlane& plane;
    LiveParameters& parameters;
    const NodeHistory& history;
    RequestRecorder& recorder;
    CacheKeeper& keeper;
    /** Whether the GMS answers; empty: there is none to ask. */
    std::function<bool()> gmsAnswers;
  };
  explicit AdminService(Parts parts) : parts_(std::move(parts)) {}

  void getStatus(wire::NodeStatus& status) override;
  void getCounters(std::vector<wire::NodeCounter>& counters) override;
  void getTrafficByBucket(std::vector<wire::Traffic>& traffic) override;
  void getTrafficByJob(std::vector<wire::Traffic>& traffic) override;
  void getBuckets(std::vector<wire::BucketView>& buckets, std::int32_t limit) override;
  void getHistory(std::vector<wire::HistoryPoint>& points, std::int64_t afterMs) override;

  void getParameters(std::vector<wire::NodeParameter>& parameters) override;
  void setParameters(const std::map<std::string, std::string>& values, bool dryRun) override;
  void resetParameters(const std::vector<std::string>& names) override;

  void explain(wire::Explanation& explanation, const std::string& path, std::int64_t offset,
               const std::string& job) override;
  void locate(wire::BlockPlace& place, const std::string& path, std::int64_t offset) override;

  void startTrace(wire::TraceInfo& info, std::int64_t maxBytes) override;
  void stopTrace(wire::TraceInfo& info) override;
  void readTrace(std::string& piece, std::int64_t offset, std::int32_t length) override;

  void evict(wire::Eviction& eviction, const std::string& path) override;
  void flushCache() override;
  void verifyCache(wire::Verification& verification, const std::string& cursor) override;

 private:
  /** A read of one byte there; throws wire::Refused. */
  control::ReadRequest requestAt(const std::string& path, std::int64_t offset) const;

  const Parts parts_;
};

}  // namespace shift::node
