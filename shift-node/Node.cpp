#include "shift-node/Node.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "backing-store/DirectoryStore.h"
#include "backing-store/ModelledDisks.h"
#include "common/Log.h"
#include "ring/RingFile.h"
#include "shift-node/AdminService.h"
#include "shift-node/OpenEngine.h"
#include "shift-node/StateFile.h"

namespace shift::node {
namespace {

/** Buckets, and jobs, that are counted by name. */
constexpr std::size_t kMaxLedgerNames = 100'000;
constexpr Duration kGmsTimeout = std::chrono::seconds(5);
constexpr Duration kReportEvery = std::chrono::seconds(2);
constexpr std::uint32_t kMostServerThreads = 64;

std::uint32_t serverThreads(const NodeConfig& config) {
  return config.serverThreads > 0 ? config.serverThreads
                                  : std::clamp(std::thread::hardware_concurrency(), 1U, kMostServerThreads);
}

}  // namespace

Result<std::unique_ptr<RunningServer>> Node::start(const NodeConfig& config, const Clock& clock) {
  std::unique_ptr<Node> node(new Node(config, clock));
  if (const Status assembled = node->assemble(); !assembled) {
    return assembled.error();
  }
  if (const Status serving = node->serve(); !serving) {
    return serving.error();
  }
  logInfo(fmt::format("node {} serves store {} from {}: {}", config.id, config.storeName, config.storeRoot,
                      node->addresses()));
  return std::unique_ptr<RunningServer>(std::move(node));
}

Node::Node(const NodeConfig& config, const Clock& clock)
    : config_(config),
      segmentSize_(static_cast<std::uint32_t>(config.segmentSize)),
      clock_(clock),
      ledger_(kMaxLedgerNames, config.maxSeries) {}

Status Node::assemble() {
  Result<std::unique_ptr<store::DirectoryStore>> store =
      store::DirectoryStore::open(config_.storeName, config_.storeRoot);
  if (!store) {
    return Error{ErrorCode::kInvalidArgument, "store.root: " + store.error().message};
  }
  Result<std::unique_ptr<store::BackingStore>> onDisks =
      store::putOnDisks(*std::move(store), config_.disks, clock_, waiter_, counters_);
  if (!onDisks) {
    return Error{onDisks.error().code, "store.disk_queues: " + onDisks.error().message};
  }
  store_ = *std::move(onDisks);
  if (const Status made = makePlane(); !made) {
    return made;
  }
  if (const Status linked = linkToGms(); !linked) {
    return linked;
  }
  control::AdmissionPolicy& policy = tally_ ? static_cast<control::AdmissionPolicy&>(*tally_) : *plane_;
  recorder_ = std::make_unique<RequestRecorder>(policy, config_.traceDirectory, config_.id);
  Result<std::unique_ptr<Engine>> engine = openEngine(
      config_, [this](const SegmentKey& key) { return plane_->reinsert(key.block, clock_.now()); }, clock_,
      counters_);
  if (!engine) {
    return engine.error();
  }
  engine_ = *std::move(engine);
  filler_ = std::make_unique<Filler>(FillerConfig{.threads = config_.fillThreads,
                                                  .maxReadBytes = config_.maxBackingRead,
                                                  .maxQueuedBytes = config_.maxQueuedFills,
                                                  .segmentSize = segmentSize_},
                                     *store_, *engine_, clock_, counters_);
  dataPlane_ = std::make_unique<DataPlane>(DataPlane::Parts{.storeName = config_.storeName,
                                                            .segmentSize = segmentSize_,
                                                            .engine = *engine_,
                                                            .policy = *recorder_,
                                                            .filler = *filler_,
                                                            .ledger = ledger_,
                                                            .clock = clock_},
                                           counters_);
  keeper_ = std::make_unique<CacheKeeper>(CacheKeeper::Parts{
      .engine = *engine_, .store = *store_, .blockSize = config_.blockSize, .segmentSize = segmentSize_});
  followAndRemember();
  return {};
}

Status Node::makePlane() {
  control::NodeFacts facts{.blockSize = config_.blockSize, .segmentSize = segmentSize_, .owns = {}};
  if (!config_.ringFile.empty()) {
    Result<ring::Ring> ring = ring::readRingFile(config_.ringFile);
    if (!ring) {
      return Error{ErrorCode::kInvalidArgument, "ring.file: " + ring.error().message};
    }
    facts.owns = [ring = *std::move(ring), id = config_.id](const BlockId& block) {
      return ring.isOwner(id, block);
    };
  }
  plane_ = std::make_unique<control::ControlPlane>(controlParameters(config_), std::move(facts));
  return {};
}

/** Starts the loops around the control plane, with what an earlier process of this node was told. */
void Node::followAndRemember() {
  NodeState before;
  if (!config_.stateFile.empty()) {
    if (Result<NodeState> state = loadState(config_.stateFile)) {
      before = *std::move(state);
    } else {
      logWarning("state_file: begun anew, for " + state.error().message);
    }
  }
  liveParameters_ = std::make_unique<LiveParameters>(
      config_, *plane_,
      [this] {
        controlLoop_->parametersChanged();
        history_->parametersChanged();
      },
      clock_);
  history_ = std::make_unique<NodeHistory>(NodeHistory::Parts{.engine = *engine_,
                                                              .ledger = ledger_,
                                                              .plane = *plane_,
                                                              .parameters = *liveParameters_,
                                                              .clock = clock_,
                                                              .stateFile = config_.stateFile},
                                           before);
  controlLoop_ = std::make_unique<ControlLoop>(ControlLoop::Parts{
      .plane = *plane_,
      .engine = *engine_,
      .store = *store_,
      .gms = gmsLink_.get(),
      .adoptParameters = [this](const auto& byGms) { return liveParameters_->adopt(byGms); },
      .clock = clock_});
  for (const std::string& fault : liveParameters_->set(before.parameters)) {
    logWarning("state_file: what was set before is not in force, because of " + fault);
  }
  controlLoop_->start();
  sampling_ = std::make_unique<PeriodicTask>(ActivityLog::kEvery, [this] { history_->sample(); });
  if (gmsLink_ != nullptr) {
    reporting_ = std::make_unique<PeriodicTask>(kReportEvery, [this] { gmsLink_->report(); });
  }
}

Status Node::linkToGms() {
  if (config_.gms.empty()) {
    return {};
  }
  const Result<HostPort> address = parseHostPort(config_.gms);
  if (!address) {
    return Error{ErrorCode::kInvalidArgument, "gms.address: " + address.error().message};
  }
  gms_ = std::make_unique<gms::GmsClient>(*address, kGmsTimeout, config_.id);
  tally_ = std::make_unique<ReadTally>(*plane_);
  gmsLink_ = std::make_unique<GmsLink>(
      GmsLink::Config{
          .node = config_.id, .snapshotFile = config_.gmsSnapshot, .followsRing = config_.ringFile.empty()},
      GmsLink::Calls{.changesSince = gms::GmsFollower::asking(*gms_),
                     .report = [this](const wire::Report& report) { return gms_->report(report); }},
      *tally_, clock_, counters_);
  return {};
}

Status Node::serve() {
  Result<std::unique_ptr<ReadServer>> readServer =
      ReadServer::start({.listen = config_.listen,
                         .threads = serverThreads(config_),
                         .maxConnections = config_.maxConnections,
                         .maxInFlightBytes = config_.maxInFlightBytes,
                         .maxLentBytes = std::min(config_.maxLentBytes, config_.dramBytes / 4),
                         .drainTimeout = config_.drainTimeout,
                         .segmentSize = segmentSize_,
                         .congestionControl = config_.congestionControl},
                        *dataPlane_, clock_, counters_);
  if (!readServer) {
    return readServer.error();
  }
  readServer_ = *std::move(readServer);
  auto admin = std::make_shared<AdminService>(
      AdminService::Parts{.id = config_.id,
                          .address = readServer_->address(),
                          .segmentSize = segmentSize_,
                          .blockSize = config_.blockSize,
                          .flashEndurance = config_.flashEndurance,
                          .engine = *engine_,
                          .ledger = ledger_,
                          .counters = counters_,
                          .store = *store_,
                          .clock = clock_,
                          .plane = *plane_,
                          .parameters = *liveParameters_,
                          .history = *history_,
                          .recorder = *recorder_,
                          .keeper = *keeper_,
                          .gmsAnswers = gmsLink_ == nullptr ? std::function<bool()>()
                                                            : [this] { return gmsLink_->isConnected(); }});
  Result<std::unique_ptr<rpc::ThriftServer>> adminServer =
      rpc::ThriftServer::start(config_.adminListen, std::make_shared<wire::NodeAdminProcessor>(admin));
  if (!adminServer) {
    return adminServer.error();
  }
  adminServer_ = *std::move(adminServer);
  return servePages(admin);
}

Status Node::servePages(const std::shared_ptr<AdminService>& admin) {
  if (config_.metricsListen.empty()) {
    return {};
  }
  metrics_ = std::make_unique<NodeMetrics>(
      NodeMetrics::Parts{.config = config_,
                         .engine = *engine_,
                         .ledger = ledger_,
                         .counters = counters_,
                         .plane = *plane_,
                         .inForce = [this] { return liveParameters_->inForce(); },
                         .inFlightBytes = [this] { return readServer_->inFlightBytes(); },
                         .lentBytes = [this] { return readServer_->lentBytes(); },
                         .clock = clock_});
  tier_ = std::make_unique<LocalTier>(config_.id, admin);
  monitor_ = std::make_unique<dashboard::Monitor>("node", *tier_, clock_);
  dashboard_ = std::make_unique<dashboard::Dashboard>(*monitor_, dashboard::Dashboard::Polls::kWhenAsked);
  http::Handler introspection = metrics::introspection({.metrics = [this] { return metrics_->text(); },
                                                        .readiness = [this] { return metrics_->readiness(); },
                                                        .config = [this] { return metrics_->config(); }});
  Result<std::unique_ptr<http::HttpServer>> server =
      http::HttpServer::start({.listen = *parseHostPort(config_.metricsListen)},
                              [this, introspection = std::move(introspection)](const http::Request& request) {
                                std::optional<http::Response> page = dashboard_->handle(request);
                                return page ? *std::move(page) : introspection(request);
                              });
  if (!server) {
    return server.error();
  }
  metricsServer_ = *std::move(server);
  return {};
}

Node::~Node() {
  adminServer_.reset();
  if (metricsServer_ != nullptr) {
    metrics_->stopping();  // and tell it while answers under way are finished
    readServer_->drain();
    metricsServer_.reset();
  }
  readServer_.reset();
  reporting_.reset();
  sampling_.reset();
  controlLoop_.reset();
  filler_.reset();  // its last fills still answer through the data plane
  if (engine_ == nullptr) {
    return;
  }
  if (const Status flushed = engine_->flush(); !flushed) {
    logWarning("the cache may not survive this restart: " + flushed.error().message);
  }
  if (history_ != nullptr) {
    history_->save();
  }
}

std::string Node::addresses() const {
  return fmt::format("listen={} admin={}{}", toString(readServer_->address()),
                     toString(adminServer_->address()),
                     metricsServer_ ? " metrics=" + toString(metricsServer_->address()) : "");
}

}  // namespace shift::node
