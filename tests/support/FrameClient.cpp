#include "tests/support/FrameClient.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "net/Socket.h"

namespace shift::test {

using namespace std::chrono_literals;

FrameClient::FrameClient(const HostPort& node)
    : socket_(*net::connectTo(node, clock_, clock_.now() + 1min)) {}

void FrameClient::send(std::string_view frame) {
  ASSERT_EQ(::send(socket_.get(), frame.data(), frame.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(frame.size()));
}

std::string FrameClient::receive(std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    if (!net::waitUntilReady(socket_, true, clock_, clock_.now() + 1min)) {
      ADD_FAILURE() << "no answer";
      return {};
    }
    const ssize_t got = ::recv(socket_.get(), bytes.data() + have, size - have, 0);
    if (got == 0) {
      return {};  // closed
    }
    have += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  return bytes;
}

FrameClient::Frame FrameClient::next() {
  Frame frame;
  const std::string prefix = receive(protocol::kPrefixSize);
  frame.prefix = *protocol::decodePrefix(std::as_bytes(std::span(prefix)));
  frame.header = receive(frame.prefix.headerSize);
  frame.body = receive(frame.prefix.bodySize);
  return frame;
}

void FrameClient::waitFor(std::size_t bytes) {
  ASSERT_TRUE(net::wakeAfter(socket_, bytes));
  ASSERT_TRUE(net::waitUntilReady(socket_, true, clock_, clock_.now() + 1min));
  ASSERT_TRUE(net::wakeAfter(socket_, 1));
}

}  // namespace shift::test
