// What is sent without a copy stays as it is until the client has it.

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>

#include "common/ByteSize.h"
#include "tests/support/AlteringEngine.h"
#include "tests/support/FrameClient.h"
#include "tests/support/InProcessNode.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

using protocol::FrameKind;
using test::FrameClient;

constexpr std::uint64_t kBlock = kMiB;
constexpr std::uint32_t kSegment = 256 * kKiB;
constexpr std::size_t kLength = 3 * kSegment + 1000;  // begins and ends within a page
constexpr std::size_t kOffset = 100;

/** A node whose memory is written over as soon as nobody holds it, and stays mapped, so that whoever still
 * looks at it finds out. */
class LendingTest : public testing::Test {
 protected:
  explicit LendingTest(const test::InProcessNodeConfig& config = settings()) : node_(config, &engine_) {
    node_.store.put("t/f", content_, "v1");
    client_.emplace(node_.serve());
    client_->send(protocol::encodeGet(get()));  // from now on it is cached
    EXPECT_EQ(client_->next().answer().status, wire::ReadStatus::HIT);
    client_.emplace(node_.server->address());
  }

  static test::InProcessNodeConfig settings() {
    return {.segmentSize = kSegment,
            .cacheBytes = 16 * kMiB,
            .maxReadBytes = 8 * kMiB,
            .maxQueuedBytes = 16 * kMiB};
  }

  wire::GetRequest get() {
    wire::GetRequest request = test::getRequest(node_.store, "t/f", kBlock, 0, kOffset, kLength);
    request.__set_requestId(1);
    return request;
  }
  wire::GetRequest getHavingTaken(std::int64_t frames) {
    wire::GetRequest request = get();
    request.__set_taken(frames);
    return request;
  }
  std::string expected() const { return content_.substr(kOffset, kLength); }

  /** The node has done everything that it was asked for before on this connection. */
  void sync() {
    wire::BatchRequest probe;
    probe.__set_gets({get()});
    client_->send(protocol::encodeBatch(probe, FrameKind::kProbe));
    client_->next();
  }
  void say(std::int64_t frames) {
    wire::Taken taken;
    taken.__set_frames(frames);
    client_->send(protocol::encodeTaken(taken));
  }
  void waitUntilNothingIsLent() {
    while (node_.server->lentBytes() > 0) {
      std::this_thread::yield();
    }
  }

  std::shared_ptr<const std::byte> watched(std::shared_ptr<std::byte> copy, std::uint32_t size) {
    const std::lock_guard lock(mutex_);
    memory_.push_back(copy);
    return {copy.get(), [size](std::byte* freed) { std::fill_n(freed, size, std::byte{0xEE}); }};
  }

  const std::string content_ = test::patternedBytes(kBlock, 1);
  std::mutex mutex_;
  std::vector<std::shared_ptr<std::byte>> memory_;  // all that lookups ever returned
  test::AlteringEngine engine_{
      [this](std::shared_ptr<std::byte> copy, std::uint32_t size) { return watched(std::move(copy), size); }};
  test::InProcessNode node_;
  std::optional<FrameClient> client_;
};

TEST_F(LendingTest, AClientThatDoesNotSayWhatItTookIsSentCopies) {
  client_->send(protocol::encodeGet(get()));
  client_->waitFor(kLength);
  EXPECT_EQ(node_.server->lentBytes(), 0u);
  EXPECT_EQ(client_->next().body, expected());
}

TEST_F(LendingTest, WhatIsLentStaysAsItIsUntilTheClientSaysThatItHasIt) {
  client_->send(protocol::encodeGet(getHavingTaken(0)));
  client_->waitFor(kLength);  // all of it has left the node
  EXPECT_EQ(node_.server->lentBytes(), kLength);
  EXPECT_EQ(client_->next().body, expected());
  sync();
  EXPECT_EQ(node_.server->lentBytes(), kLength) << "received, but nobody said so";
  say(1);
  sync();
  EXPECT_EQ(node_.server->lentBytes(), 0u);
}

TEST_F(LendingTest, TheNextRequestBringsTheNumberAlong) {
  client_->send(protocol::encodeGet(getHavingTaken(0)));
  EXPECT_EQ(client_->next().body, expected());
  wire::BatchRequest batch;
  batch.__set_gets({get(), get()});
  batch.__set_taken(1);
  client_->send(protocol::encodeBatch(batch, FrameKind::kGetBatch));
  EXPECT_EQ(client_->next().body, expected());
  EXPECT_EQ(client_->next().body, expected());
  EXPECT_EQ(node_.server->lentBytes(), 2 * kLength) << "what came before is taken";
  client_->send(protocol::encodeGet(getHavingTaken(2)));
  EXPECT_EQ(client_->next().body, expected());
  EXPECT_EQ(node_.server->lentBytes(), 2 * kLength) << "one of the batch, and the last";
}

TEST_F(LendingTest, AClientThatGoesGivesBackEverything) {
  client_->send(protocol::encodeGet(getHavingTaken(0)));
  client_->waitFor(kLength);
  client_.reset();
  waitUntilNothingIsLent();
}

TEST_F(LendingTest, AClientThatGoesInTheMiddleGivesBackEverything) {
  for (int i = 0; i < 20; ++i) {  // more than the socket has room for
    client_->send(protocol::encodeGet(getHavingTaken(0)));
  }
  client_->waitFor(1);
  client_.reset();
  waitUntilNothingIsLent();
}

TEST_F(LendingTest, AConnectionThatTheNodeEndsLingersUntilTheClientIsGone) {
  client_->send(protocol::encodeGet(getHavingTaken(0)));
  client_->waitFor(kLength);
  client_->send(protocol::encodeBatchAnswer({}));  // no client sends that
  const FrameClient::Frame answer = client_->next();
  EXPECT_EQ(client_->receive(1), "") << "it has ended";
  EXPECT_EQ(answer.body, expected());
  EXPECT_EQ(node_.server->lentBytes(), kLength);
  client_.reset();
  waitUntilNothingIsLent();
}

TEST_F(LendingTest, AClientThatTookWhatWasNeverSentIsCutOff) {
  for (const std::int64_t lie : {std::int64_t{1}, std::int64_t{-1}}) {
    client_.emplace(node_.server->address());
    say(lie);
    EXPECT_EQ(client_->receive(1), "") << lie;
  }
  EXPECT_EQ(node_.counter("node_frames_malformed_total"), 2);
}

TEST_F(LendingTest, WhatTheServerLeavesBehindCanStillBeTaken) {
  client_->send(protocol::encodeGet(getHavingTaken(0)));
  client_->waitFor(kLength);
  node_.server.reset();
  EXPECT_EQ(client_->next().body, expected());
}

TEST_F(LendingTest, ASlowClientGetsEveryByteOfManyAnswers) {
  constexpr int kAnswers = 30;
  for (int i = 0; i < kAnswers; ++i) {
    client_->send(protocol::encodeGet(getHavingTaken(0)));
  }
  for (int i = 1; i <= kAnswers; ++i) {
    ASSERT_EQ(client_->next().body, expected()) << i;
    say(i);
  }
  sync();
  EXPECT_EQ(node_.server->lentBytes(), 0u);
}

class LittleToLendTest : public LendingTest {
 protected:
  LittleToLendTest() : LendingTest(little()) {}
  static test::InProcessNodeConfig little() {
    test::InProcessNodeConfig config = settings();
    config.maxLentBytes = kLength;
    return config;
  }
};

TEST_F(LittleToLendTest, BeyondTheLimitAnswersAreCopied) {
  for (int i = 0; i < 3; ++i) {
    client_->send(protocol::encodeGet(getHavingTaken(0)));
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client_->next().body, expected());
  }
  EXPECT_EQ(node_.server->lentBytes(), kLength) << "the first";
}

}  // namespace
}  // namespace shift::node
