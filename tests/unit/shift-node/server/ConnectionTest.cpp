#include "shift-node/server/Connection.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <future>

#include "net/Socket.h"
#include "tests/support/HeldReads.h"
#include "tests/support/InProcessNode.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

using namespace std::chrono_literals;
using protocol::FrameKind;

constexpr std::uint64_t kBlock = 512;

/** A node on a socket, and the other end of it, spoken to frame by frame. */
class ConnectionTest : public testing::Test {
 protected:
  ConnectionTest() {
    node_.store.put("t/f", content_, "v1");
    socket_ = *net::connectTo(node_.serve(), node_.clock, node_.clock.now() + 1min);
  }

  wire::GetRequest get(std::int64_t id, std::uint64_t block, std::uint64_t offset, std::uint64_t length) {
    wire::GetRequest request = test::getRequest(node_.store, "t/f", kBlock, block, offset, length);
    request.__set_requestId(id);
    return request;
  }
  void send(const std::string& frame) {
    ASSERT_EQ(::send(socket_.get(), frame.data(), frame.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(frame.size()));
  }
  std::string receive(std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t have = 0;
    while (have < size) {
      if (!net::waitUntilReady(socket_, true, node_.clock, node_.clock.now() + 1min)) {
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

  struct Frame {
    protocol::Prefix prefix;
    std::string header;
    std::string body;
    wire::ReadAnswer answer() const { return *protocol::decodeAnswer(std::as_bytes(std::span(header))); }
    wire::BatchAnswer batch() const { return *protocol::decodeBatchAnswer(std::as_bytes(std::span(header))); }
  };
  Frame next() {
    Frame frame;
    const std::string prefix = receive(protocol::kPrefixSize);
    frame.prefix = *protocol::decodePrefix(std::as_bytes(std::span(prefix)));
    frame.header = receive(frame.prefix.headerSize);
    frame.body = receive(frame.prefix.bodySize);
    return frame;
  }

  const std::string content_ = test::patternedBytes(2000, 1);
  test::InProcessNode node_{{.fillThreads = 4}};
  FileDescriptor socket_;
};

TEST_F(ConnectionTest, ABatchInOrderIsAnsweredInOrderWhateverIsReadyFirst) {
  send(protocol::encodeGet(get(1, 1, 0, 64)));  // so that block 1 is cached
  EXPECT_EQ(next().answer().requestId, 1);
  test::HeldReads held(node_.store);
  wire::BatchRequest batch;
  batch.__set_requestId(9);
  batch.__set_gets({get(10, 0, 0, 64), get(11, 1, 0, 64)});  // the first has to be fetched
  batch.__set_inOrder(true);
  send(protocol::encodeBatch(batch, FrameKind::kGetBatch));
  send(protocol::encodeGet(get(12, 1, 10, 20)));
  EXPECT_EQ(next().answer().requestId, 12) << "what is not of the batch does not wait for it";
  held.release();
  const Frame first = next();
  EXPECT_EQ(first.answer().requestId, 10);
  EXPECT_EQ(first.body, content_.substr(0, 64));
  const Frame second = next();
  EXPECT_EQ(second.answer().requestId, 11);
  EXPECT_EQ(second.body, content_.substr(kBlock, 64));
}

TEST_F(ConnectionTest, ABatchWithoutOrderIsAnsweredAsItComes) {
  send(protocol::encodeGet(get(1, 1, 0, 64)));
  next();
  test::HeldReads held(node_.store);
  wire::BatchRequest batch;
  batch.__set_requestId(9);
  batch.__set_gets({get(10, 0, 0, 64), get(11, 1, 0, 64)});
  send(protocol::encodeBatch(batch, FrameKind::kGetBatch));
  EXPECT_EQ(next().answer().requestId, 11);
  held.release();
  EXPECT_EQ(next().answer().requestId, 10);
}

TEST_F(ConnectionTest, SaysFillingToWhoeverWantsToHearIt) {
  wire::GetRequest request = get(5, 0, 0, 64);
  request.__set_wantsFilling(true);
  send(protocol::encodeGet(request));
  const wire::ReadAnswer filling = next().answer();
  EXPECT_EQ(filling.requestId, 5);
  EXPECT_EQ(filling.status, wire::ReadStatus::FILLING);
  const Frame answer = next();
  EXPECT_EQ(answer.answer().status, wire::ReadStatus::HIT);
  EXPECT_EQ(answer.body, content_.substr(0, 64));
  send(protocol::encodeGet(request));
  EXPECT_EQ(next().answer().status, wire::ReadStatus::HIT) << "it is cached now";
}

TEST_F(ConnectionTest, ProbePrefetchAndChecksumGoOverTheWire) {
  wire::BatchRequest batch;
  batch.__set_requestId(3);
  batch.__set_gets({get(0, 0, 0, 64), get(0, 1, 0, 64)});
  batch.gets[1].blockLow ^= 1;
  send(protocol::encodeBatch(batch, FrameKind::kProbe));
  const wire::BatchAnswer probed = next().batch();
  EXPECT_EQ(probed.requestId, 3);
  EXPECT_EQ(probed.outcomes,
            (std::vector<std::int32_t>{wire::RangeOutcome::ABSENT, wire::RangeOutcome::ERROR}));
  send(protocol::encodeBatch(batch, FrameKind::kPrefetch));
  EXPECT_EQ(next().batch().outcomes,
            (std::vector<std::int32_t>{wire::RangeOutcome::QUEUED, wire::RangeOutcome::ERROR}));
  send(protocol::encodeGet(get(4, 0, 0, 64)));  // waits for the prefetch
  const wire::ReadAnswer read = next().answer();
  send(protocol::encodeGet(get(5, 0, 0, 64), FrameKind::kGetChecksum));
  const Frame sums = next();
  EXPECT_EQ(sums.answer().status, wire::ReadStatus::HIT);
  EXPECT_EQ(sums.answer().checksums, read.checksums);
  EXPECT_EQ(sums.prefix.bodySize, 0u);
}

TEST_F(ConnectionTest, ManyRequestsInOneSegmentAreAllAnswered) {
  std::string frames;
  wire::BatchRequest probe;
  probe.__set_gets({get(0, 0, 0, 64)});
  for (std::int64_t i = 0; i < 200; ++i) {
    probe.__set_requestId(i);
    frames += protocol::encodeBatch(probe, FrameKind::kProbe);
  }
  send(frames);
  for (std::int64_t i = 0; i < 200; ++i) {
    ASSERT_EQ(next().batch().requestId, i);
  }
}

TEST_F(ConnectionTest, AThousandConnectionsAreServedSideBySide) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  std::vector<FileDescriptor> sockets;
  for (std::int64_t i = 0; i < 1000; ++i) {
    sockets.push_back(*net::connectTo(node_.server->address(), node_.clock, node_.clock.now() + 1min));
    socket_ = std::move(sockets.back());
    send(protocol::encodeGet(get(i, static_cast<std::uint64_t>(i % 3), 0, 64)));
    sockets.back() = std::move(socket_);
  }
  for (std::int64_t i = 0; i < 1000; ++i) {
    socket_ = std::move(sockets[static_cast<std::size_t>(i)]);
    const Frame frame = next();
    ASSERT_EQ(frame.answer().requestId, i);
    ASSERT_EQ(frame.body, content_.substr(static_cast<std::size_t>(i % 3) * kBlock, 64));
    sockets[static_cast<std::size_t>(i)] = std::move(socket_);
  }
  EXPECT_GE(node_.counter("node_connections_open"), 1000);
}

TEST_F(ConnectionTest, AnAnswerFromAClientEndsItsConnectionAndNoOther) {
  send(protocol::encodeBatchAnswer({}));
  EXPECT_EQ(receive(1), "");
  socket_ = *net::connectTo(node_.server->address(), node_.clock, node_.clock.now() + 1min);
  send(protocol::encodeGet(get(1, 0, 0, 64)));
  EXPECT_EQ(next().answer().status, wire::ReadStatus::HIT);
}

}  // namespace
}  // namespace shift::node
