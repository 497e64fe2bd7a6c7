#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "client-lib/Breaker.h"
#include "client-lib/Hedge.h"
#include "client-lib/NodeConnection.h"
#include "common/Clock.h"
#include "common/HostPort.h"

namespace shift::client {

/**
 * One node as a client sees it: idle connections, and a breaker that says whether it is worth a try. A
 * connection that was taken is given back by exactly one call of succeeded() or failed(). Thread-safe.
 */
class NodeClient {
 public:
  NodeClient(HostPort address, const BreakerConfig& breaker, Duration connectTimeout, const Clock& clock);

  /** False while the breaker leaves the node alone. A true must be followed by succeeded() or failed(). */
  bool worthTrying();

  /** An idle connection or a new one. */
  Result<NodeConnection> connect();

  /** The node answered, whatever it said; the connection is kept for the next. */
  void succeeded(NodeConnection connection);

  /** Tells the node, over connections that nobody has used since the last call, what was received on them:
   * until then it must keep that in memory. Now and then, from one thread. */
  void tellTaken();

  /** How long its answers from the cache took, and what would be unusual for them. */
  void answeredAfter(Duration took);
  Duration unusualLatency() const;

  /** It could not be reached, did not answer in time, or talked nonsense. Idle connections are dropped too.
   */
  void failed();

 private:
  const HostPort address_;
  const Duration connectTimeout_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  Breaker breaker_;
  LatencyEstimate latency_;
  struct Idle {
    NodeConnection connection;
    bool hasRested = false;  // through a call of tellTaken()
  };
  std::vector<Idle> idle_;
};

}  // namespace shift::client
