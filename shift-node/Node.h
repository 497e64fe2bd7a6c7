#pragma once

#include <memory>

#include "backing-store/BackingStore.h"
#include "common/Clock.h"
#include "common/ServerMain.h"
#include "common/Waiter.h"
#include "control-plane/ControlPlane.h"
#include "dashboard/Dashboard.h"
#include "gms/GmsClient.h"
#include "http/HttpServer.h"
#include "rpc/ThriftServer.h"
#include "shift-node/CacheKeeper.h"
#include "shift-node/DataPlane.h"
#include "shift-node/LocalTier.h"
#include "shift-node/NodeConfig.h"
#include "shift-node/NodeHistory.h"
#include "shift-node/NodeMetrics.h"
#include "shift-node/control/ControlLoop.h"
#include "shift-node/control/GmsLink.h"
#include "shift-node/control/LiveParameters.h"
#include "shift-node/control/RequestRecorder.h"
#include "shift-node/server/ReadServer.h"

namespace shift::node {

class AdminService;

/**
 * The composition root of a node: every part is made here and handed to those that use it. The members stand
 * in the order in which they are made; they go in the reverse order, so servers stop first and the engine
 * last.
 */
class Node final : public RunningServer {
 public:
  static Result<std::unique_ptr<RunningServer>> start(const NodeConfig& config, const Clock& clock);
  ~Node() override;

  std::string addresses() const override;

 private:
  Node(const NodeConfig& config, const Clock& clock);
  /** Makes the parts, from the store up to the data plane. */
  Status assemble();
  Status makePlane();
  Status linkToGms();
  void followAndRemember();
  /** Lets the network in. */
  Status serve();
  Status servePages(const std::shared_ptr<AdminService>& admin);

  const NodeConfig config_;
  const std::uint32_t segmentSize_;
  const Clock& clock_;
  const SystemWaiter waiter_;
  CounterRegistry counters_;
  std::unique_ptr<store::BackingStore> store_;
  std::unique_ptr<gms::GmsClient> gms_;
  std::unique_ptr<control::ControlPlane> plane_;
  std::unique_ptr<ReadTally> tally_;           // with a GMS: stands before the plane
  std::unique_ptr<RequestRecorder> recorder_;  // stands before both
  std::unique_ptr<Engine> engine_;
  TrafficLedger ledger_;
  std::unique_ptr<DataPlane> dataPlane_;
  std::unique_ptr<Filler> filler_;
  std::unique_ptr<CacheKeeper> keeper_;
  std::unique_ptr<GmsLink> gmsLink_;  // with a GMS
  std::unique_ptr<LiveParameters> liveParameters_;
  std::unique_ptr<NodeHistory> history_;
  std::unique_ptr<ControlLoop> controlLoop_;
  std::unique_ptr<PeriodicTask> sampling_;
  std::unique_ptr<PeriodicTask> reporting_;  // with a GMS
  std::unique_ptr<ReadServer> readServer_;
  std::unique_ptr<rpc::ThriftServer> adminServer_;
  std::unique_ptr<NodeMetrics> metrics_;
  std::unique_ptr<LocalTier> tier_;  // the dashboard's, as are the next two
  std::unique_ptr<dashboard::Monitor> monitor_;
  std::unique_ptr<dashboard::Dashboard> dashboard_;
  std::unique_ptr<http::HttpServer> metricsServer_;  // with the dashboard; unless it is off
};

}  // namespace shift::node
