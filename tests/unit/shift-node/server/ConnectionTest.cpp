#include "shift-node/server/Connection.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <optional>

#include "tests/support/FrameClient.h"
#include "tests/support/HeldReads.h"
#include "tests/support/InProcessNode.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

using protocol::FrameKind;

constexpr std::uint64_t kBlock = 512;

/** A node on a socket, and a client of it. */
class ConnectionTest : public testing::Test {
 protected:
  ConnectionTest() {
    node_.store.put("t/f", content_, "v1");
    client_.emplace(node_.serve());
  }

  wire::GetRequest get(std::int64_t id, std::uint64_t block, std::uint64_t offset, std::uint64_t length) {
    wire::GetRequest request = test::getRequest(node_.store, "t/f", kBlock, block, offset, length);
    request.__set_requestId(id);
    return request;
  }
  const std::string content_ = test::patternedBytes(2000, 1);
  test::InProcessNode node_{{.fillThreads = 4}};
  std::optional<test::FrameClient> client_;
};

TEST_F(ConnectionTest, ABatchInOrderIsAnsweredInOrderWhateverIsReadyFirst) {
  client_->send(protocol::encodeGet(get(1, 1, 0, 64)));  // so that block 1 is cached
  EXPECT_EQ(client_->next().answer().requestId, 1);
  test::HeldReads held(node_.store);
  wire::BatchRequest batch;
  batch.__set_requestId(9);
  batch.__set_gets({get(10, 0, 0, 64), get(11, 1, 0, 64)});  // the first has to be fetched
  batch.__set_inOrder(true);
  client_->send(protocol::encodeBatch(batch, FrameKind::kGetBatch));
  client_->send(protocol::encodeGet(get(12, 1, 10, 20)));
  EXPECT_EQ(client_->next().answer().requestId, 12) << "what is not of the batch does not wait for it";
  held.release();
  const test::FrameClient::Frame first = client_->next();
  EXPECT_EQ(first.answer().requestId, 10);
  EXPECT_EQ(first.body, content_.substr(0, 64));
  const test::FrameClient::Frame second = client_->next();
  EXPECT_EQ(second.answer().requestId, 11);
  EXPECT_EQ(second.body, content_.substr(kBlock, 64));
}

TEST_F(ConnectionTest, ABatchWithoutOrderIsAnsweredAsItComes) {
  client_->send(protocol::encodeGet(get(1, 1, 0, 64)));
  client_->next();
  test::HeldReads held(node_.store);
  wire::BatchRequest batch;
  batch.__set_requestId(9);
  batch.__set_gets({get(10, 0, 0, 64), get(11, 1, 0, 64)});
  client_->send(protocol::encodeBatch(batch, FrameKind::kGetBatch));
  EXPECT_EQ(client_->next().answer().requestId, 11);
  held.release();
  EXPECT_EQ(client_->next().answer().requestId, 10);
}

TEST_F(ConnectionTest, SaysFillingToWhoeverWantsToHearIt) {
  wire::GetRequest request = get(5, 0, 0, 64);
  request.__set_wantsFilling(true);
  client_->send(protocol::encodeGet(request));
  const wire::ReadAnswer filling = client_->next().answer();
  EXPECT_EQ(filling.requestId, 5);
  EXPECT_EQ(filling.status, wire::ReadStatus::FILLING);
  const test::FrameClient::Frame answer = client_->next();
  EXPECT_EQ(answer.answer().status, wire::ReadStatus::HIT);
  EXPECT_EQ(answer.body, content_.substr(0, 64));
  client_->send(protocol::encodeGet(request));
  EXPECT_EQ(client_->next().answer().status, wire::ReadStatus::HIT) << "it is cached now";
}

TEST_F(ConnectionTest, ProbePrefetchAndChecksumGoOverTheWire) {
  wire::BatchRequest batch;
  batch.__set_requestId(3);
  batch.__set_gets({get(0, 0, 0, 64), get(0, 1, 0, 64)});
  batch.gets[1].blockLow ^= 1;
  client_->send(protocol::encodeBatch(batch, FrameKind::kProbe));
  const wire::BatchAnswer probed = client_->next().batch();
  EXPECT_EQ(probed.requestId, 3);
  EXPECT_EQ(probed.outcomes,
            (std::vector<std::int32_t>{wire::RangeOutcome::ABSENT, wire::RangeOutcome::ERROR}));
  client_->send(protocol::encodeBatch(batch, FrameKind::kPrefetch));
  EXPECT_EQ(client_->next().batch().outcomes,
            (std::vector<std::int32_t>{wire::RangeOutcome::QUEUED, wire::RangeOutcome::ERROR}));
  client_->send(protocol::encodeGet(get(4, 0, 0, 64)));  // waits for the prefetch
  const wire::ReadAnswer read = client_->next().answer();
  client_->send(protocol::encodeGet(get(5, 0, 0, 64), FrameKind::kGetChecksum));
  const test::FrameClient::Frame sums = client_->next();
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
  client_->send(frames);
  for (std::int64_t i = 0; i < 200; ++i) {
    ASSERT_EQ(client_->next().batch().requestId, i);
  }
}

TEST_F(ConnectionTest, AThousandConnectionsAreServedSideBySide) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  std::vector<test::FrameClient> clients;
  for (std::int64_t i = 0; i < 1000; ++i) {
    clients.emplace_back(node_.server->address())
        .send(protocol::encodeGet(get(i, static_cast<std::uint64_t>(i % 3), 0, 64)));
  }
  for (std::int64_t i = 0; i < 1000; ++i) {
    const test::FrameClient::Frame frame = clients[static_cast<std::size_t>(i)].next();
    ASSERT_EQ(frame.answer().requestId, i);
    ASSERT_EQ(frame.body, content_.substr(static_cast<std::size_t>(i % 3) * kBlock, 64));
  }
  EXPECT_GE(node_.counter("node_connections_open"), 1000);
}

TEST_F(ConnectionTest, AnAnswerFromAClientEndsItsConnectionAndNoOther) {
  client_->send(protocol::encodeBatchAnswer({}));
  EXPECT_EQ(client_->receive(1), "");
  client_.emplace(node_.server->address());
  client_->send(protocol::encodeGet(get(1, 0, 0, 64)));
  EXPECT_EQ(client_->next().answer().status, wire::ReadStatus::HIT);
}

}  // namespace
}  // namespace shift::node
