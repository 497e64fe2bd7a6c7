#include "net/Socket.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace shift::net {
namespace {

using namespace std::chrono_literals;

TEST(Socket, ConnectsToAListenerOnAFreePort) {
  const SystemClock clock;
  const Result<FileDescriptor> listener = listenOn({"127.0.0.1", 0});
  ASSERT_TRUE(listener);
  const Result<HostPort> address = localAddress(*listener);
  ASSERT_TRUE(address);
  EXPECT_NE(address->port, 0);
  const Result<FileDescriptor> client = connectTo(*address, clock, clock.now() + 5s);
  ASSERT_TRUE(client) << client.error().message;
  EXPECT_TRUE(waitUntilReady(*listener, true, clock, clock.now() + 5s));
}

TEST(Socket, NamesAnOccupiedPort) {
  const Result<FileDescriptor> first = listenOn({"127.0.0.1", 0});
  const HostPort taken = *localAddress(*first);
  const Result<FileDescriptor> second = listenOn(taken);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(second.error().message, "cannot listen on " + toString(taken) + ": Address already in use");
}

TEST(Socket, SaysThatNobodyListens) {
  const SystemClock clock;
  HostPort nobody;
  {
    const Result<FileDescriptor> listener = listenOn({"127.0.0.1", 0});
    nobody = *localAddress(*listener);
  }
  const Result<FileDescriptor> client = connectTo(nobody, clock, clock.now() + 5s);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, ErrorCode::kUnavailable);
}

TEST(Socket, GivesUpWaitingAtTheDeadline) {
  const SystemClock clock;
  const Result<FileDescriptor> listener = listenOn({"127.0.0.1", 0});
  EXPECT_FALSE(waitUntilReady(*listener, true, clock, clock.now() + 1ms));
  EXPECT_FALSE(waitUntilReady(*listener, true, clock, clock.now() - 1s)) << "a deadline in the past";
}

TEST(Socket, WakesAReaderOnlyWhenItIsWorthIt) {
  const SystemClock clock;
  const Result<FileDescriptor> listener = listenOn({"127.0.0.1", 0});
  const Result<FileDescriptor> reader = connectTo(*localAddress(*listener), clock, clock.now() + 5s);
  ASSERT_TRUE(waitUntilReady(*listener, true, clock, clock.now() + 5s));
  FileDescriptor writer(::accept4(listener->get(), nullptr, nullptr, SOCK_CLOEXEC));
  const std::string half(5'000, 'x');
  const auto isReadable = [&](Duration patience) {
    return waitUntilReady(*reader, true, clock, clock.now() + patience);
  };

  ASSERT_TRUE(wakeAfter(*reader, 2 * half.size()));
  ASSERT_EQ(::send(writer.get(), half.data(), half.size(), 0), static_cast<ssize_t>(half.size()));
  EXPECT_FALSE(isReadable(1ms));
  ASSERT_EQ(::send(writer.get(), half.data(), half.size(), 0), static_cast<ssize_t>(half.size()));
  EXPECT_TRUE(isReadable(5s));

  ASSERT_TRUE(wakeAfter(*reader, 4 * half.size()));
  EXPECT_FALSE(isReadable(1ms));
  writer = FileDescriptor();
  EXPECT_TRUE(isReadable(5s)) << "the peer has gone: there is nothing more to wait for";
}

TEST(Socket, WhatAListenerAcceptsHasItsCongestionControl) {
  const SystemClock clock;
  const Result<FileDescriptor> listener = listenOn({"127.0.0.1", 0});
  ASSERT_TRUE(useCongestionControl(*listener, "reno").ok()) << "which every kernel offers to everybody";
  const Result<FileDescriptor> client = connectTo(*localAddress(*listener), clock, clock.now() + 5s);
  ASSERT_TRUE(waitUntilReady(*listener, true, clock, clock.now() + 5s));
  const FileDescriptor accepted(::accept4(listener->get(), nullptr, nullptr, SOCK_CLOEXEC));
  char name[16] = {};
  socklen_t size = sizeof name;
  ASSERT_EQ(::getsockopt(accepted.get(), IPPROTO_TCP, TCP_CONGESTION, name, &size), 0);
  EXPECT_STREQ(name, "reno");
}

TEST(Socket, NamesACongestionControlThatThereIsNot) {
  const Result<FileDescriptor> listener = listenOn({"127.0.0.1", 0});
  const Status chosen = useCongestionControl(*listener, "turtle");
  ASSERT_FALSE(chosen.ok());
  EXPECT_NE(chosen.error().message.find("\"turtle\""), std::string::npos) << chosen.error().message;
}

}  // namespace
}  // namespace shift::net
