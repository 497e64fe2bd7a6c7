#include "client-lib/NodeConnection.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "common/ByteSize.h"
#include "net/Socket.h"

namespace shift::client {
namespace {

/** Enough for prefix and header of most answers in one system call; what it catches of the body is copied
 * once more. */
constexpr std::size_t kReadAhead = 512;

/** A body is waited for and received in pieces of this size: being woken costs a thread as much as copying
 * some, and what was copied is still in the processor's cache when it is verified. */
constexpr std::size_t kBodyPiece = 256 * kKiB;

Error timedOut(const char* doing) {
  return {ErrorCode::kTimedOut, std::string(doing) + ": no progress before the deadline"};
}

}  // namespace

Result<NodeConnection> NodeConnection::connect(const HostPort& address, const Clock& clock,
                                               Duration timeout) {
  Result<FileDescriptor> socket = net::connectTo(address, clock, clock.now() + timeout);
  if (!socket) {
    return socket.error();
  }
  return NodeConnection(*std::move(socket), clock);
}

NodeConnection::NodeConnection(FileDescriptor socket, const Clock& clock)
    : socket_(std::move(socket)), clock_(&clock) {}

bool NodeConnection::idle() const {
  char byte = 0;
  const ssize_t got = ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && errno == EAGAIN && ahead_.empty();
}

Status NodeConnection::send(std::string_view frame, TimePoint deadline) {
  while (!frame.empty()) {
    const ssize_t sent = ::send(socket_.get(), frame.data(), frame.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      frame.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      if (!net::waitUntilReady(socket_, false, *clock_, deadline)) {
        return timedOut("sending to a node");
      }
    } else if (errno != EINTR) {
      return Error::fromErrno(errno, "sending to a node");
    }
  }
  return {};
}

bool NodeConnection::waitForAnswer(TimePoint until) {
  return !ahead_.empty() || waitFor(1, until);
}

Result<protocol::Prefix> NodeConnection::receiveHeader(protocol::FrameKind kind, TimePoint deadline) {
  if (Status ready = readAhead(protocol::kPrefixSize, deadline); !ready) {
    return ready.error();
  }
  const Result<protocol::Prefix> prefix = protocol::decodePrefix(ahead_);
  if (!prefix) {
    return prefix;
  }
  if (prefix->kind != kind) {
    return Error{ErrorCode::kCorrupt, "the node sent another kind of frame than was expected"};
  }
  if (Status ready = readAhead(protocol::kPrefixSize + prefix->headerSize, deadline); !ready) {
    return ready.error();
  }
  return prefix;
}

Result<wire::BatchAnswer> NodeConnection::receiveBatchAnswer(TimePoint deadline) {
  const Result<protocol::Prefix> prefix = receiveHeader(protocol::FrameKind::kBatchAnswer, deadline);
  if (!prefix) {
    return prefix.error();
  }
  Result<wire::BatchAnswer> answer =
      protocol::decodeBatchAnswer(std::span(ahead_).subspan(protocol::kPrefixSize, prefix->headerSize));
  ahead_.erase(ahead_.begin(),
               ahead_.begin() + static_cast<std::ptrdiff_t>(protocol::kPrefixSize + prefix->headerSize));
  ++frames_;
  return answer;
}

std::int64_t NodeConnection::sayTaken() {
  framesSaid_ = frames_;
  return frames_;
}

Status NodeConnection::tellTaken(TimePoint deadline) {
  wire::Taken taken;
  taken.__set_frames(sayTaken());
  return send(protocol::encodeTaken(taken), deadline);
}

Result<wire::ReadAnswer> NodeConnection::receive(const Place& place, const Arrived& arrived,
                                                 TimePoint deadline) {
  const Result<protocol::Prefix> prefix = receiveHeader(protocol::FrameKind::kAnswer, deadline);
  if (!prefix) {
    return prefix.error();
  }
  const std::size_t headerEnd = protocol::kPrefixSize + prefix->headerSize;
  Result<wire::ReadAnswer> answer =
      protocol::decodeAnswer(std::span(ahead_).subspan(protocol::kPrefixSize, prefix->headerSize));
  if (!answer) {
    return answer;
  }
  const Result<std::span<std::byte>> body = place(*answer, prefix->bodySize);
  if (!body) {
    return body.error();
  }

  const std::size_t early = std::min(ahead_.size() - headerEnd, std::size_t{prefix->bodySize});
  std::copy_n(ahead_.begin() + static_cast<std::ptrdiff_t>(headerEnd), early, body->begin());
  ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(headerEnd + early));
  arrived(body->first(early));
  for (std::span<std::byte> left = body->subspan(early); !left.empty();) {
    const std::span<std::byte> piece = left.first(std::min(left.size(), kBodyPiece));
    const Result<std::size_t> got = receiveSome(piece, piece.size(), deadline);
    if (!got) {
      return got.error();
    }
    arrived(left.first(*got));
    left = left.subspan(*got);
  }
  ++frames_;
  return answer;
}

Status NodeConnection::readAhead(std::size_t size, TimePoint deadline) {
  while (ahead_.size() < size) {
    const std::size_t have = ahead_.size();
    ahead_.resize(std::max(size, kReadAhead));
    const Result<std::size_t> got = receiveSome(std::span(ahead_).subspan(have), 1, deadline);
    ahead_.resize(have + (got ? *got : 0));
    if (!got) {
      return got.error();
    }
  }
  return {};
}

Result<std::size_t> NodeConnection::receiveSome(std::span<std::byte> into, std::size_t worthWaking,
                                                TimePoint deadline) {
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), into.data(), into.size(), 0);
    if (got > 0) {
      return static_cast<std::size_t>(got);
    }
    if (got == 0) {
      return Error{ErrorCode::kUnavailable, "the node closed the connection"};
    }
    if (errno == EAGAIN) {
      if (!waitFor(worthWaking, deadline)) {
        return timedOut("waiting for a node");
      }
    } else if (errno != EINTR) {
      return Error::fromErrno(errno, "receiving from a node");
    }
  }
}

bool NodeConnection::waitFor(std::size_t bytes, TimePoint deadline) {
  if (bytes != worthWaking_ && net::wakeAfter(socket_, bytes)) {
    worthWaking_ = bytes;
  }
  return net::waitUntilReady(socket_, true, *clock_, deadline);
}

}  // namespace shift::client
