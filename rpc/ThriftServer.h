#pragma once

#include <cstdint>
#include <memory>

#include "common/HostPort.h"
#include "common/Result.h"

namespace apache::thrift {
class TProcessor;
}

namespace shift::rpc {

/**
 * Serves one Thrift service on one address, a thread per connection: for the few callers of the control
 * services, not for bulk data. Runs from start() until the destructor, which ends connections and waits for
 * calls under way.
 */
class ThriftServer {
 public:
  /** Listens, or says why not (an occupied port, an address that is not this machine's). */
  static Result<std::unique_ptr<ThriftServer>> start(
      const HostPort& listen, const std::shared_ptr<apache::thrift::TProcessor>& processor);
  ~ThriftServer();

  /** Where it listens; with the port that was found if 0 was asked for. */
  const HostPort& address() const;

  /** Callers that are connected now. */
  std::int64_t connections() const;

 private:
  struct Running;
  explicit ThriftServer(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

}  // namespace shift::rpc
