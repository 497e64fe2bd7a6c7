#include "bench/path/Stream.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "net/Socket.h"

namespace shift::bench {
namespace {

FileDescriptor connected(const HostPort& address) {
  const SystemClock clock;
  auto socket = net::connectTo(address, clock, clock.now() + std::chrono::seconds(5));
  if (!socket) {
    throw std::runtime_error(socket.error().message);
  }
  return *std::move(socket);
}

}  // namespace

Stream::Stream(const HostPort& address) : Stream(connected(address)) {}

Stream::Stream(FileDescriptor socket) : socket_(std::move(socket)) {
  ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) & ~O_NONBLOCK);
  net::disableNagle(socket_);
}

void Stream::send(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "send");
    }
  }
}

std::size_t Stream::receiveSome(std::span<std::byte> into) {
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), into.data(), into.size(), 0);
    if (got > 0) {
      return static_cast<std::size_t>(got);
    }
    if (got == 0) {
      throw std::runtime_error("the server closed the connection");
    }
    if (errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "recv");
    }
  }
}

bool Stream::receiveAll(std::span<std::byte> into, std::span<std::byte> then) {
  bool isFirst = true;
  while (!into.empty() || !then.empty()) {
    iovec places[2] = {{into.data(), into.size()}, {then.data(), then.size()}};
    msghdr message{};
    message.msg_iov = places;
    message.msg_iovlen = 2;
    const ssize_t got = ::recvmsg(socket_.get(), &message, MSG_WAITALL);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw std::system_error(errno, std::generic_category(), "recvmsg");
    }
    if (got == 0 && isFirst) {
      return false;
    }
    if (got == 0) {
      throw std::runtime_error("the connection was closed in the middle of an answer");
    }
    isFirst = false;
    const std::size_t ofFirst = std::min(static_cast<std::size_t>(got), into.size());
    into = into.subspan(ofFirst);
    then = then.subspan(static_cast<std::size_t>(got) - ofFirst);
  }
  return true;
}

}  // namespace shift::bench
