#include "client-lib/NodeClient.h"

#include <algorithm>
#include <iterator>
#include <utility>

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
      kept.emplace(std::move(idle_.back().connection));
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
    idle_.push_back({std::move(connection)});
  }
}

void NodeClient::tellTaken() {
  std::vector<Idle> resting;
  {
    std::lock_guard lock(mutex_);
    const auto rested = std::stable_partition(idle_.begin(), idle_.end(), [](Idle& idle) {
      return !std::exchange(idle.hasRested, true) || !idle.connection.hasToTell();
    });
    std::move(rested, idle_.end(), std::back_inserter(resting));
    idle_.erase(rested, idle_.end());
  }
  // What cannot be said at once is not waited for: such a connection is closed, which says as much.
  std::erase_if(resting, [this](Idle& idle) { return !idle.connection.tellTaken(clock_.now()); });
  std::lock_guard lock(mutex_);
  idle_.insert(idle_.begin(), std::make_move_iterator(resting.begin()),
               std::make_move_iterator(resting.end()));
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
  std::vector<Idle> dropped;  // closed outside the lock
  std::lock_guard lock(mutex_);
  breaker_.failed(clock_.now());
  dropped.swap(idle_);
}

}  // namespace shift::client
