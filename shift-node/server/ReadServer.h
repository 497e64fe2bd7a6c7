#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/HostPort.h"
#include "common/Result.h"
#include "shift-node/server/Connection.h"

namespace shift::node {

struct ReadServerConfig {
  HostPort listen;
  std::uint32_t threads = 2;
  std::uint32_t maxConnections = 4096;
  std::uint64_t maxInFlightBytes = 512 * 1024 * 1024;
  std::uint64_t maxLentBytes = 64 * 1024 * 1024;
  Duration drainTimeout = std::chrono::seconds(5);
  Duration defaultDeadline = std::chrono::seconds(10);  // for requests that bring none
  std::uint32_t segmentSize = 0;
  std::string congestionControl;  // empty: the system's
};

/**
 * Serves the read protocol on a few threads, each with its own event loop and connections. Runs from start()
 * until the destructor, which drains it and closes the rest.
 */
class ReadServer {
 public:
  static Result<std::unique_ptr<ReadServer>> start(const ReadServerConfig& config, DataPlane& dataPlane,
                                                   const Clock& clock, CounterRegistry& counters);
  ~ReadServer();

  /** Stops accepting, and lets what is under way finish for at most drainTimeout; once. The destructor does
   * it if nobody has. */
  void drain();

  const HostPort& address() const { return address_; }
  /** What all answers under way hold now. */
  std::uint64_t inFlightBytes() const { return inFlight_.used(); }
  /** What was sent without a copy and not taken yet. */
  std::uint64_t lentBytes() const { return lent_.used(); }

 private:
  class Acceptor;
  class Shard;

  ReadServer(const ReadServerConfig& config, DataPlane& dataPlane, const Clock& clock,
             CounterRegistry& counters);
  void listen(FileDescriptor socket);

  const ReadServerConfig config_;
  ServerCounters counters_;
  InFlightBytes inFlight_;
  InFlightBytes lent_;
  const ConnectionContext context_;
  HostPort address_;
  std::vector<std::shared_ptr<Shard>> shards_;
  std::unique_ptr<Acceptor> acceptor_;
  bool isDrained_ = false;
};

}  // namespace shift::node
