#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

#include "net/Socket.h"
#include "tests/support/ClientFixture.h"

namespace shift::client {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/** What goes beyond open, pread and close. */
class ClientApiTest : public test::ClientFixture {
 protected:
  std::span<std::byte> bytesOf(std::string& text) { return std::as_writable_bytes(std::span(text)); }
};

TEST_F(ClientApiTest, PreadvFillsItsBuffersInTurn) {
  connect({node_.serve()});
  std::string first(100, '?');
  std::string second(7, '?');
  std::string third(6000, '?');
  const std::vector<std::span<std::byte>> into{bytesOf(first), bytesOf(second), bytesOf(third)};
  EXPECT_EQ(*client_->preadv(file_, into, 300), 4700u);
  EXPECT_EQ(first + second + third.substr(0, 4593), content_.substr(300));
  EXPECT_EQ(*client_->preadv(file_, {}, 0), 0u);
  EXPECT_EQ(client_->preadv(Handle{99}, into, 0).error().toErrno(), EBADF);
}

TEST_F(ClientApiTest, PreadvReceivesIntoLargeBuffersDirectly) {
  const std::string large = test::patternedBytes(300'000, 5);
  for (test::MemoryStore* store : {&store_, &node_.store}) {
    store->put("t/large", large, "v1");
  }
  connect({node_.serve()});
  const Handle file = *client_->open("t/large");
  std::string first(70'000, '?');
  std::string second(250'000, '?');
  const std::vector<std::span<std::byte>> into{bytesOf(first), bytesOf(second)};
  EXPECT_EQ(*client_->preadv(file, into, 100), 299'900u);
  EXPECT_EQ(first + second.substr(0, 229'900), large.substr(100));
}

TEST_F(ClientApiTest, ABatchOfManyFilesIsAnsweredReadByRead) {
  std::vector<std::string> contents;
  for (unsigned i = 0; i < 40; ++i) {
    contents.push_back(test::patternedBytes(1000 + i, 100 + i));
    for (test::MemoryStore* store : {&store_, &node_.store}) {
      store->put("t/" + std::to_string(i), contents.back(), "v1");
    }
  }
  connect({node_.serve()});
  std::vector<std::string> buffers(contents.size(), std::string(2000, '?'));
  std::vector<BatchRead> reads;
  for (unsigned i = 0; i < contents.size(); ++i) {
    reads.push_back({*client_->open("t/" + std::to_string(i)), bytesOf(buffers[i]), i});
  }
  reads.insert(reads.begin() + 7, {Handle{9999}, bytesOf(buffers[0]), 0});
  const std::vector<Result<std::size_t>> results = client_->readBatch(reads);
  ASSERT_EQ(results.size(), 41u);
  EXPECT_EQ(results[7].error().toErrno(), EBADF);
  for (unsigned i = 0; i < contents.size(); ++i) {
    const Result<std::size_t>& result = results[i < 7 ? i : i + 1];
    ASSERT_TRUE(result);
    EXPECT_EQ(buffers[i].substr(0, *result), contents[i].substr(i));
  }
  EXPECT_EQ(store_.reads(), 0u);
}

TEST_F(ClientApiTest, WhatIsPrefetchedIsThereWhenItIsRead) {
  connect({node_.serve()});
  EXPECT_TRUE(client_->prefetch(file_, 0, 5000));
  EXPECT_EQ(client_->prefetch(Handle{99}, 0, 1).error().toErrno(), EBADF);
  EXPECT_EQ(read(0, 5000), content_);
  const auto fetched = node_.store.bytesRead();
  EXPECT_EQ(fetched, 5000u) << "once, by the prefetch";
  EXPECT_EQ(node_.ledger.byJob().at("").requests, 10u) << "only the read counts as one";
}

TEST_F(ClientApiTest, WhatIsNotEligibleGoesPastTheNodesAndIsCountedByTable) {
  config_.ruleFile = directory_.write("rules.toml", R"(
[[table]]
name = "views"
root = "s:t"
onboarded = false
)");
  connect({node_.serve()});
  EXPECT_EQ(read(100, 1000), content_.substr(100, 1000));
  EXPECT_EQ(node_.store.reads(), 0u);
  EXPECT_EQ(client_->stats().bytesPastCache, 1000u);
  EXPECT_EQ(client_->stats().pastCacheByTable.at("views"), 1000u);
  EXPECT_FALSE(client_->eligibility(file_)->eligible);
  EXPECT_THAT(client_->eligibility(file_)->reason, HasSubstr("not onboarded"));
}

TEST_F(ClientApiTest, NewRulesAndANewRingAreTakenUpAndBrokenOnesAreNot) {
  config_.ruleFile = directory_.write("rules.toml", "[[rule]]\nid = \"none\"\naction = \"bypass\"\n");
  connect({node_.serve()});
  read(0, 100);
  EXPECT_EQ(client_->stats().bytesPastCache, 100u);
  directory_.write("rules.toml", "[[rule]]\nid = \"none\"\naction = \"bypass\"\npercentage = 0\n");
  client_->refresh();
  read(0, 100);
  EXPECT_EQ(client_->stats().bytesFromNodes, 100u);

  directory_.write("rules.toml", "[[rule]]\nbroken");
  directory_.write("ring.toml", "broken");
  client_->refresh();
  read(0, 100);
  EXPECT_EQ(client_->stats().bytesFromNodes, 200u) << "what was known stays in force";

  test::InProcessNode other;
  other.store.put("t/f", content_, "v1");
  directory_.write("ring.toml",
                   ring::formatRingFile(ring::Ring({{.id = "other", .address = other.serve()}})));
  client_->refresh();
  EXPECT_EQ(read(0, 100), content_.substr(0, 100));
  EXPECT_EQ(other.counter("node_get_fills_total"), 1);
}

TEST_F(ClientApiTest, AnUnusuallySlowNodeIsHedged) {
  const Result<FileDescriptor> silent = net::listenOn({"127.0.0.1", 0});
  config_.hedgeShare = 1;
  config_.hedgeAfter = 1ms;
  config_.getDeadline = 24h;  // a test that waited for it would not end
  connect({*net::localAddress(*silent)});
  EXPECT_EQ(read(0, 5000), content_);
  EXPECT_EQ(client_->stats().getsHedged, 10u);
}

/** A node with segments that are worth lending, and a large file. */
class LargeFileTest : public ClientApiTest {
 protected:
  Handle openLarge() {
    for (test::MemoryStore* store : {&store_, &largeNode_.store}) {
      store->put("t/large", large_, "v1");
    }
    config_.blockSize = 1 << 20;
    connect({largeNode_.serve()});
    return *client_->open("t/large");
  }

  const std::string large_ = test::patternedBytes(12 << 20, 6);
  test::InProcessNode largeNode_{
      {.segmentSize = 65536, .cacheBytes = 64 << 20, .maxReadBytes = 8 << 20, .maxQueuedBytes = 64 << 20}};
};

TEST_F(LargeFileTest, AConnectionThatFallsIdleTellsWhatWasTaken) {
  const Handle file = openLarge();
  std::string buffer(3 << 20, '?');
  for (int pass = 0; pass < 2; ++pass) {
    ASSERT_EQ(*client_->pread(file, bytesOf(buffer), 5000), buffer.size());
    ASSERT_TRUE(buffer == large_.substr(5000, buffer.size()));
  }
  EXPECT_GT(largeNode_.server->lentBytes(), 0u) << "the last answers: no request has come after them";
  client_->refresh();
  EXPECT_GT(largeNode_.server->lentBytes(), 0u) << "it has just been used, and may be again at once";
  client_->refresh();
  while (largeNode_.server->lentBytes() > 0) {
    std::this_thread::yield();
  }
  client_->refresh();  // nothing new to tell
  ASSERT_EQ(*client_->pread(file, bytesOf(buffer), 0), buffer.size());
  EXPECT_TRUE(buffer == large_.substr(0, buffer.size()));
  EXPECT_EQ(largeNode_.counter("node_frames_malformed_total"), 0);
  EXPECT_EQ(largeNode_.counter("node_connections_accepted_total"), 1) << "all over the same connection";
}

TEST_F(LargeFileTest, ASequentialReaderIsReadAheadOf) {
  config_.readAhead = 4 << 20;
  const Handle file = openLarge();
  std::string whole;
  std::string buffer(200'000, '?');
  while (const std::size_t got = *client_->pread(file, bytesOf(buffer), whole.size())) {
    whole.append(buffer, 0, got);
    while (whole.size() == 3 * buffer.size() && client_->stats().bytesReadAhead == 0) {
      std::this_thread::yield();  // until the first piece has come
    }
  }
  EXPECT_TRUE(whole == large_);
  EXPECT_GT(client_->stats().bytesReadAhead, 0u);
  EXPECT_TRUE(client_->close(file));
}

}  // namespace
}  // namespace shift::client
