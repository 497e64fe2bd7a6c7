#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "common/Clock.h"
#include "common/Counters.h"
#include "control-plane/ControlPlane.h"
#include "metrics/Exposition.h"
#include "metrics/Introspection.h"
#include "shift-node/NodeConfig.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/**
 * What a node tells about itself: all its counters, and what follows from them or is asked of its parts when
 * somebody looks. docs/metrics.md lists every family. Thread-safe; borrows its parts.
 */
class NodeMetrics {
 public:
  struct Parts {
    const NodeConfig& config;
    const Engine& engine;
    TrafficLedger& ledger;
    const CounterRegistry& counters;
    const control::ControlPlane& plane;
    std::function<NodeConfig()> inForce;  // with what was changed since the start
    std::function<std::uint64_t()> inFlightBytes;
    std::function<std::uint64_t()> lentBytes;
    const Clock& clock;
  };
  explicit NodeMetrics(const Parts& parts) : parts_(parts), started_(parts.clock.wallNow()) {}

  /** Prometheus' text. */
  std::string text() const;
  /** A node serves as long as it has memory, until it stops: a failed device is said, but is no reason to
   * leave the node alone. */
  metrics::Readiness readiness() const;
  /** From now on the node is not ready. */
  void stopping() { isStopping_ = true; }
  /** The configuration in force, as TOML. */
  std::string config() const;

 private:
  void addTraffic(metrics::Exposition& exposition) const;
  void addLimits(metrics::Exposition& exposition) const;
  void addEngine(metrics::Exposition& exposition) const;
  void addControl(metrics::Exposition& exposition) const;

  const Parts parts_;
  const WallTime started_;
  std::atomic<bool> isStopping_ = false;
};

}  // namespace shift::node
