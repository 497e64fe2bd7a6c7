#include "client-lib/NodeClient.h"

namespace shift::client {
namespace {

/** As many as threads of one process are likely to read at once; more are closed after use. */
constexpr std::size_t kMaxIdle = 64;

}  // namespace

NodeClient::NodeClient(HostPort address, const BreakerConfig& breaker, Duration connectTimeout,
                       const Clock& clock)
    : address_(std::move(address)), connectTimeout_(connectTimeout), clock_(clock), breaker_(breaker) {}

bool NodeClient::worthTrying() {
  std::lock_guard lock(mutex_);
  return breaker_.allows(clock_.now());
}

Result<NodeConnection> NodeClient::connect() {
  for (;;) {
    std::optional<NodeConnection> kept;
    {
      std::lock_guard lock(mutex_);
      if (idle_.empty()) {
        break;
      }
      kept.emplace(std::move(idle_.back()));
      idle_.pop_back();
    }
    if (kept->idle()) {
      return *std::move(kept);
    }
  }
  return NodeConnection::connect(address_, clock_, connectTimeout_);
}

void NodeClient::succeeded(NodeConnection connection) {
  std::lock_guard lock(mutex_);
  breaker_.succeeded();
  if (idle_.size() < kMaxIdle) {
    idle_.push_back(std::move(connection));
  }
}

void NodeClient::tellTaken() {
  std::lock_guard lock(mutex_);  // for a few microseconds a connection
  // What cannot be said at once is not waited for: such a connection is closed, which says as much.
  std::erase_if(idle_, [this](NodeConnection& connection) { return !connection.tellTaken(clock_.now()); });
}

void NodeClient::answeredAfter(Duration took) {
  std::lock_guard lock(mutex_);
  latency_.add(took);
}

Duration NodeClient::unusualLatency() const {
  std::lock_guard lock(mutex_);
  return latency_.unusual();
}

void NodeClient::failed() {
  std::vector<NodeConnection> dropped;  // closed outside the lock
  std::lock_guard lock(mutex_);
  breaker_.failed(clock_.now());
  dropped.swap(idle_);
}

}  // namespace shift::client
