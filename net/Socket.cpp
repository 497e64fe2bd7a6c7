#include "net/Socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace shift::net {
namespace {

constexpr int kBacklog = 1024;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Result<Addresses> resolve(const HostPort& address, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int fault = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  if (fault != 0) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("cannot resolve {}: {}", address.host, gai_strerror(fault))};
  }
  return Addresses(list);
}

FileDescriptor openSocket(const addrinfo& family) {
  return FileDescriptor(
      ::socket(family.ai_family, family.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, family.ai_protocol));
}

/** 0, or the errno of a connect that did not come about in time. */
int connectWithin(const FileDescriptor& socket, const addrinfo& peer, const Clock& clock,
                  TimePoint deadline) {
  if (::connect(socket.get(), peer.ai_addr, peer.ai_addrlen) == 0) {
    return 0;
  }
  if (errno != EINPROGRESS) {
    return errno;
  }
  if (!waitUntilReady(socket, false, clock, deadline)) {
    return ETIMEDOUT;
  }
  int fault = 0;
  socklen_t size = sizeof fault;
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &fault, &size);
  return fault;
}

}  // namespace

Result<FileDescriptor> listenOn(const HostPort& address) {
  const std::string doing = fmt::format("cannot listen on {}", toString(address));
  const Result<Addresses> addresses = resolve(address, AI_PASSIVE);
  if (!addresses) {
    return Error{addresses.error().code, doing + ": " + addresses.error().message};
  }
  FileDescriptor socket = openSocket(**addresses);
  if (!socket.valid()) {
    return Error::fromErrno(errno, doing);
  }
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.get(), (*addresses)->ai_addr, (*addresses)->ai_addrlen) != 0 ||
      ::listen(socket.get(), kBacklog) != 0) {
    return Error::fromErrno(errno, doing);
  }
  return socket;
}

Result<HostPort> localAddress(const FileDescriptor& socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&storage), &size) != 0) {
    return Error::fromErrno(errno, "getsockname");
  }
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  const int fault = getnameinfo(reinterpret_cast<const sockaddr*>(&storage), size, host, sizeof host, port,
                                sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  if (fault != 0) {
    return Error{ErrorCode::kIo, gai_strerror(fault)};
  }
  return HostPort{host, static_cast<std::uint16_t>(std::stoi(port))};
}

Result<FileDescriptor> connectTo(const HostPort& address, const Clock& clock, TimePoint deadline) {
  const Result<Addresses> addresses = resolve(address, 0);
  if (!addresses) {
    return addresses.error();
  }
  int fault = EADDRNOTAVAIL;
  for (const addrinfo* peer = addresses->get(); peer != nullptr; peer = peer->ai_next) {
    FileDescriptor socket = openSocket(*peer);
    fault = socket.valid() ? connectWithin(socket, *peer, clock, deadline) : errno;
    if (fault == 0) {
      disableNagle(socket);
      return socket;
    }
  }
  return Error::fromErrno(fault, "connecting to " + toString(address));
}

bool waitUntilReady(const FileDescriptor& socket, bool forReading, const Clock& clock, TimePoint deadline) {
  pollfd waiting{socket.get(), static_cast<short>(forReading ? POLLIN : POLLOUT), 0};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.now()).count();
    const int timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
    const int ready = ::poll(&waiting, 1, timeout);
    if (ready > 0) {
      return true;
    }
    if (ready == 0 || errno != EINTR) {
      return false;
    }
  }
}

bool wakeAfter(const FileDescriptor& socket, std::size_t bytes) {
  const int least = static_cast<int>(bytes);
  return ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least) == 0;
}

Status useCongestionControl(const FileDescriptor& socket, const std::string& algorithm) {
  if (::setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, algorithm.data(),
                   static_cast<socklen_t>(algorithm.size())) == 0) {
    return {};
  }
  return Error::fromErrno(errno, "congestion control \"" + algorithm +
                                     "\" (net.ipv4.tcp_allowed_congestion_control lists what there is)");
}

void disableNagle(const FileDescriptor& socket) {
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace shift::net
