#pragma once

#include <memory>

#include "common/Clock.h"
#include "common/Counters.h"
#include "shift-node/DataPlane.h"
#include "shift-node/Filler.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/engine/MemoryEngine.h"
#include "shift-node/server/ReadServer.h"
#include "tests/support/AdmitAll.h"
#include "tests/support/MemoryStore.h"

namespace shift::test {

struct InProcessNodeConfig {
  std::uint32_t segmentSize = 64;
  std::uint64_t cacheBytes = 1024 * 1024;
  std::uint64_t maxReadBytes = 8 * 64;
  std::uint64_t maxQueuedBytes = 1024 * 1024;
  std::uint32_t fillThreads = 2;
  std::uint64_t maxInFlightBytes = 64 * 1024 * 1024;
  std::uint64_t maxLentBytes = 64 * 1024 * 1024;
};

/** A node's parts, joined as in shift-node/Node.cpp but over a store in memory, with each part open to the
 * test. */
class InProcessNode {
 public:
  explicit InProcessNode(const InProcessNodeConfig& config = {}, node::Engine* otherEngine = nullptr,
                         control::AdmissionPolicy* otherPolicy = nullptr)
      : settings(config),
        memory({.capacityBytes = config.cacheBytes}, counters),
        engine(otherEngine != nullptr ? *otherEngine : memory),
        policy(otherPolicy != nullptr ? *otherPolicy : admitAll),
        ledger(1000),
        filler({.threads = config.fillThreads,
                .maxReadBytes = config.maxReadBytes,
                .maxQueuedBytes = config.maxQueuedBytes,
                .segmentSize = config.segmentSize},
               store, engine, clock, counters),
        dataPlane({.storeName = store.name(),
                   .segmentSize = config.segmentSize,
                   .engine = engine,
                   .policy = policy,
                   .filler = filler,
                   .ledger = ledger,
                   .clock = clock},
                  counters) {}

  /** Serves on a free port of the loopback interface; returns where. */
  HostPort serve() {
    server = *node::ReadServer::start({.listen = {"127.0.0.1", 0},
                                       .threads = 2,
                                       .maxInFlightBytes = settings.maxInFlightBytes,
                                       .maxLentBytes = settings.maxLentBytes,
                                       .segmentSize = settings.segmentSize},
                                      dataPlane, clock, counters);
    return server->address();
  }

  /** All series of a family together. */
  std::int64_t counter(std::string_view family) const {
    std::int64_t sum = 0;
    for (const CounterValue& counter : counters.snapshot()) {
      sum += counter.family == family ? counter.value : 0;
    }
    return sum;
  }

  const InProcessNodeConfig settings;
  SystemClock clock;
  CounterRegistry counters;
  MemoryStore store{"s"};
  node::MemoryEngine memory;
  AdmitAll admitAll;
  node::Engine& engine;
  control::AdmissionPolicy& policy;
  node::TrafficLedger ledger;
  node::Filler filler;
  node::DataPlane dataPlane;
  std::unique_ptr<node::ReadServer> server;
};

/** A well-formed get for a range of a file's block, as a client would make it. */
wire::GetRequest getRequest(const MemoryStore& store, const std::string& path, std::uint64_t blockSize,
                            std::uint64_t block, std::uint64_t offset, std::uint64_t length);

/** The body of a hit. */
std::string bodyOf(const node::GetAnswer& answer);

}  // namespace shift::test
