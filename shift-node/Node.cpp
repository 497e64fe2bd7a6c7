#include "shift-node/Node.h"

#include <fmt/format.h>

#include "backing-store/DirectoryStore.h"
#include "common/Log.h"
#include "control-plane/AdmitAll.h"
#include "shift-node/AdminService.h"
#include "shift-node/engine/MemoryEngine.h"

namespace shift::node {
namespace {

/** Buckets, and jobs, that are counted by name. */
constexpr std::size_t kMaxLedgerNames = 100'000;

}  // namespace

Result<std::unique_ptr<RunningServer>> Node::start(const NodeConfig& config, const Clock& clock) {
  Result<std::unique_ptr<store::DirectoryStore>> store =
      store::DirectoryStore::open(config.storeName, config.storeRoot);
  if (!store) {
    return Error{ErrorCode::kInvalidArgument, "store.root: " + store.error().message};
  }
  std::unique_ptr<Node> node(new Node(config, *std::move(store), clock));

  Result<std::unique_ptr<ReadServer>> readServer =
      ReadServer::start({.listen = config.listen,
                         .threads = config.serverThreads,
                         .maxConnections = config.maxConnections,
                         .maxInFlightBytes = config.maxInFlightBytes,
                         .drainTimeout = config.drainTimeout,
                         .segmentSize = static_cast<std::uint32_t>(config.segmentSize)},
                        *node->dataPlane_, clock, node->counters_);
  if (!readServer) {
    return readServer.error();
  }
  node->readServer_ = *std::move(readServer);

  auto admin = std::make_shared<AdminService>(
      AdminService::Parts{.id = config.id,
                          .policy = "admit-all",
                          .segmentSize = static_cast<std::uint32_t>(config.segmentSize),
                          .engine = *node->engine_,
                          .ledger = node->ledger_,
                          .counters = node->counters_});
  Result<std::unique_ptr<rpc::ThriftServer>> adminServer =
      rpc::ThriftServer::start(config.adminListen, std::make_shared<wire::NodeAdminProcessor>(admin));
  if (!adminServer) {
    return adminServer.error();
  }
  node->adminServer_ = *std::move(adminServer);
  logInfo(fmt::format("node {} serves store {} from {}: {}", config.id, config.storeName, config.storeRoot,
                      node->addresses()));
  return std::unique_ptr<RunningServer>(std::move(node));
}

Node::Node(const NodeConfig& config, std::unique_ptr<store::BackingStore> store, const Clock& clock)
    : store_(std::move(store)),
      engine_(
          std::make_unique<MemoryEngine>(MemoryEngineConfig{.capacityBytes = config.dramBytes}, counters_)),
      policy_(std::make_unique<control::AdmitAll>()),
      ledger_(kMaxLedgerNames),
      filler_(std::make_unique<Filler>(
          FillerConfig{.threads = config.fillThreads,
                       .maxReadBytes = config.maxBackingRead,
                       .maxQueuedBytes = config.maxQueuedFills,
                       .segmentSize = static_cast<std::uint32_t>(config.segmentSize)},
          *store_, *engine_, clock, counters_)) {
  dataPlane_ = std::make_unique<DataPlane>(
      DataPlane::Parts{.storeName = config.storeName,
                       .segmentSize = static_cast<std::uint32_t>(config.segmentSize),
                       .engine = *engine_,
                       .policy = *policy_,
                       .filler = *filler_,
                       .ledger = ledger_,
                       .clock = clock},
      counters_);
}

Node::~Node() {
  adminServer_.reset();
  readServer_.reset();
  filler_.reset();  // its last fills still answer through the data plane
  if (const Status flushed = engine_->flush(); !flushed) {
    logWarning("the cache may not survive this restart: " + flushed.error().message);
  }
}

std::string Node::addresses() const {
  return fmt::format("listen={} admin={}", toString(readServer_->address()),
                     toString(adminServer_->address()));
}

}  // namespace shift::node
