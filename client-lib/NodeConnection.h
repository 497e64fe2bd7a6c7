#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "common/Clock.h"
#include "common/FileDescriptor.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "read-protocol/Frame.h"
#include "thrift/read_types.h"

namespace shift::client {

/**
 * One connection to a node, speaking the read protocol. Used by one thread at a time. After any error it is
 * in an unknown state and must be dropped.
 */
class NodeConnection {
 public:
  static Result<NodeConnection> connect(const HostPort& address, const Clock& clock, Duration timeout);

  /** Whether an idle connection is still good: the node has neither closed it nor said anything unasked. */
  bool idle() const;

  Status send(std::string_view frame, TimePoint deadline);

  /** Whether something has arrived by then. */
  bool waitForAnswer(TimePoint until);

  /** Where the body of an answer goes: exactly as many bytes as are wanted, or an error to give up the
   * connection. */
  using Place =
      std::function<Result<std::span<std::byte>>(const wire::ReadAnswer& answer, std::size_t bodySize)>;

  /** Told of the body's bytes, in order, a few at a time, as soon as they are in their place. */
  using Arrived = std::function<void(std::span<const std::byte> bytes)>;

  /** The next answer. Its body is received straight into the memory that `place` names. */
  Result<wire::ReadAnswer> receive(const Place& place, const Arrived& arrived, TimePoint deadline);

  /** The next answer, to a probe or a prefetch. */
  Result<wire::BatchAnswer> receiveBatchAnswer(TimePoint deadline);

  /** How many frames have been received whole, to be said with the next request; the node is then taken to
   * know it. */
  std::int64_t sayTaken();
  /** Whether the node does not know it yet. */
  bool hasToTell() const { return framesSaid_ != frames_; }
  /** Tells it when no request is at hand. */
  Status tellTaken(TimePoint deadline);

 private:
  NodeConnection(FileDescriptor socket, const Clock& clock);

  /** The prefix of the next frame, which must be of that kind, with its header in ahead_. */
  Result<protocol::Prefix> receiveHeader(protocol::FrameKind kind, TimePoint deadline);
  /** Receives until at least `size` bytes stand in ahead_. */
  Status readAhead(std::size_t size, TimePoint deadline);
  /** Waits, if nothing is here, until so many bytes are. */
  Result<std::size_t> receiveSome(std::span<std::byte> into, std::size_t worthWaking, TimePoint deadline);
  bool waitFor(std::size_t bytes, TimePoint deadline);

  FileDescriptor socket_;
  const Clock* clock_;
  std::int64_t frames_ = 0;      // received whole
  std::int64_t framesSaid_ = 0;  // of those that the node knows of
  std::size_t worthWaking_ = 1;  // what the kernel was told: fewer bytes do not wake a thread that waits
  std::vector<std::byte>
      ahead_;  // received, not yet used: prefix, header and perhaps the first bytes of the body
};

}  // namespace shift::client
