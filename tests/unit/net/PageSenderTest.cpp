#include "net/PageSender.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "common/ByteSize.h"
#include "common/Clock.h"
#include "net/Socket.h"

namespace shift::net {
namespace {

using namespace std::chrono_literals;

/** Both ends of a connection over TCP; they do not block. */
struct Ends {
  Ends() {
    const SystemClock clock;
    const Result<FileDescriptor> listener = listenOn({"127.0.0.1", 0});
    reader = *connectTo(*localAddress(*listener), clock, clock.now() + 1min);
    EXPECT_TRUE(waitUntilReady(*listener, true, clock, clock.now() + 1min));
    writer = FileDescriptor(::accept4(listener->get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  }
  FileDescriptor reader, writer;
};

class PageSenderTest : public testing::Test {
 protected:
  PageSenderTest() { std::signal(SIGPIPE, SIG_IGN); }

  ssize_t send(std::string_view bytes, std::size_t begin, std::size_t end) {
    const iovec piece{const_cast<char*>(bytes.data()) + begin, end - begin};
    return sender_.send(ends_.writer.get(), {&piece, 1});
  }

  std::string receiveSome() {
    std::string bytes(kMiB, '\0');
    const ssize_t got = ::recv(ends_.reader.get(), bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }

  static std::string numbers(std::size_t size) {
    std::string text;
    for (std::size_t i = 0; text.size() < size; ++i) {
      text += std::to_string(i) + ' ';
    }
    return text;
  }

  PageSender sender_ = *PageSender::open();
  Ends ends_;
};

TEST_F(PageSenderTest, WhatTheSocketHasNoRoomForIsNotSentLater) {
  const std::string all = numbers(32 * kMiB);
  std::string got;
  std::size_t sent = 0;
  std::size_t timesFull = 0;
  while (got.size() < all.size()) {
    // Pieces that begin and end anywhere.
    const ssize_t count = send(all, sent, std::min(all.size(), sent + 777'777));
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
      continue;
    }
    if (count < 0) {
      ASSERT_EQ(errno, EAGAIN);
      ++timesFull;
    }
    got += receiveSome();
  }
  EXPECT_GT(timesFull, 1u);
  EXPECT_TRUE(got == all);
}

TEST_F(PageSenderTest, SendsSeveralPiecesInOneCall) {
  const std::string first = numbers(5000), second = numbers(9000);
  const iovec pieces[] = {{const_cast<char*>(first.data()) + 1, first.size() - 1},
                          {const_cast<char*>(second.data()), second.size()}};
  ASSERT_EQ(sender_.send(ends_.writer.get(), pieces), static_cast<ssize_t>(first.size() - 1 + second.size()));
  std::string got;
  while (got.size() < first.size() - 1 + second.size()) {
    got += receiveSome();
  }
  EXPECT_EQ(got, first.substr(1) + second);
}

TEST_F(PageSenderTest, APeerThatIsGoneIsAnErrorAndLeavesNothingBehind) {
  const std::string bytes = numbers(kMiB);
  ends_.reader = FileDescriptor();
  while (send(bytes, 0, bytes.size()) >= 0) {  // until the kernel has heard of it
  }
  EXPECT_TRUE(errno == EPIPE || errno == ECONNRESET) << errno;
  ends_ = Ends();
  ASSERT_EQ(send("the next", 0, 8), 8);
  const SystemClock clock;
  ASSERT_TRUE(waitUntilReady(ends_.reader, true, clock, clock.now() + 1min));
  EXPECT_EQ(receiveSome(), "the next");
}

}  // namespace
}  // namespace shift::net
