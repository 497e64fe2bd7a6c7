#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "blocks/Checksum.h"
#include "tests/support/HeldReads.h"
#include "tests/support/InProcessNode.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

using namespace std::chrono_literals;
using wire::RangeOutcome;

constexpr std::uint64_t kBlock = 512;  // eight segments of 64 bytes

/** A node whose backing reads wait until they are let go, one after the other. */
class PrefetchTest : public testing::Test {
 protected:
  PrefetchTest() { node_.store.put("t/f", content_, "v1"); }

  wire::GetRequest range(std::uint64_t block, std::uint64_t offset, std::uint64_t length) {
    return test::getRequest(node_.store, "t/f", kBlock, block, offset, length);
  }
  std::future<GetAnswer> begin(const wire::GetRequest& request, GetFilling filling = {}) {
    auto promise = std::make_shared<std::promise<GetAnswer>>();
    node_.dataPlane.get(
        request, node_.clock.now() + 1min,
        [promise](GetAnswer answer) { promise->set_value(std::move(answer)); }, std::move(filling));
    return promise->get_future();
  }
  std::future<GetAnswer> checksum(const wire::GetRequest& request) {
    auto promise = std::make_shared<std::promise<GetAnswer>>();
    node_.dataPlane.getChecksum(request,
                                [promise](GetAnswer answer) { promise->set_value(std::move(answer)); });
    return promise->get_future();
  }

  const std::string content_ = test::patternedBytes(4 * kBlock, 1);
  test::InProcessNode node_{{.fillThreads = 1}};
};

TEST_F(PrefetchTest, WhatWasPrefetchedIsAHitAndWasNoRead) {
  EXPECT_EQ(node_.dataPlane.probe(range(0, 0, 128)), RangeOutcome::ABSENT);
  EXPECT_EQ(node_.dataPlane.prefetch(range(0, 0, 128)), RangeOutcome::QUEUED);
  EXPECT_EQ(begin(range(0, 0, 128)).get().status, wire::ReadStatus::HIT);  // joins it, or finds it done
  EXPECT_EQ(node_.dataPlane.probe(range(0, 0, 128)), RangeOutcome::PRESENT);
  EXPECT_EQ(node_.dataPlane.prefetch(range(0, 0, 128)), RangeOutcome::PRESENT);
  EXPECT_EQ(node_.store.reads(), 1u);
  const Traffic bucket = node_.ledger.byBucket().at("s:t");
  EXPECT_EQ(bucket.requests, 1u);
  EXPECT_EQ(bucket.fetchedBytes, 128u) << "what is fetched for nobody is fetched all the same";
}

TEST_F(PrefetchTest, DemandGoesFirst) {
  test::HeldReads held(node_.store);
  auto first = begin(range(0, 0, 64));
  held.waitForOne();  // the only thread is busy with it
  EXPECT_EQ(node_.dataPlane.prefetch(range(1, 0, 64)), RangeOutcome::QUEUED);
  EXPECT_EQ(node_.dataPlane.prefetch(range(2, 0, 64)), RangeOutcome::QUEUED);
  auto demanded = begin(range(3, 0, 64));
  auto joined = begin(range(2, 0, 64));  // was a prefetch, and is one no longer
  std::vector<int> presentBefore;        // of the three, at the beginning of each further read
  node_.store.beforeRead([&] {
    int present = 0;
    for (const std::uint64_t block : {1, 2, 3}) {
      present = present * 10 + (node_.dataPlane.probe(range(block, 0, 64)) == RangeOutcome::PRESENT ? 1 : 0);
    }
    presentBefore.push_back(present);
  });
  auto last =
      begin(range(1, 64, 64));  // queued behind the other demand; the prefetch of block 1 waits for it
  held.release();
  for (auto* answer : {&first, &demanded, &joined, &last}) {
    EXPECT_EQ(answer->get().status, wire::ReadStatus::HIT);
  }
  EXPECT_EQ(begin(range(1, 0, 64)).get().status, wire::ReadStatus::HIT);  // the prefetch, at last
  EXPECT_EQ(std::vector<int>(presentBefore.begin(), presentBefore.begin() + 3), (std::vector{0, 1, 11}));
}

TEST_F(PrefetchTest, HasABoundOfItsOwn) {
  test::InProcessNode node({.maxQueuedBytes = 256, .fillThreads = 1});
  node.store.put("t/f", content_, "v1");
  test::HeldReads held(node.store);
  const auto prefetch = [&](std::uint64_t block) {
    return node.dataPlane.prefetch(test::getRequest(node.store, "t/f", kBlock, block, 0, 64));
  };
  EXPECT_EQ(prefetch(0), RangeOutcome::QUEUED);
  held.waitForOne();
  EXPECT_EQ(prefetch(1), RangeOutcome::QUEUED);
  EXPECT_EQ(prefetch(2), RangeOutcome::BUSY);
  held.release();
}

TEST_F(PrefetchTest, RefusesNonsense) {
  wire::GetRequest bad = range(0, 0, 64);
  bad.blockLow ^= 1;
  EXPECT_EQ(node_.dataPlane.prefetch(bad), RangeOutcome::ERROR);
  EXPECT_EQ(node_.dataPlane.probe(bad), RangeOutcome::ERROR);
  EXPECT_EQ(checksum(bad).get().status, wire::ReadStatus::ERROR);
  EXPECT_EQ(node_.store.reads(), 0u);
}

TEST_F(PrefetchTest, ChecksumsAreToldOnlyOfWhatIsCached) {
  EXPECT_EQ(checksum(range(0, 10, 100)).get().status, wire::ReadStatus::REFUSED);
  EXPECT_EQ(node_.store.reads(), 0u) << "it fetches nothing";
  const GetAnswer read = begin(range(0, 10, 100)).get();
  const GetAnswer sums = checksum(range(0, 10, 100)).get();
  EXPECT_EQ(sums.status, wire::ReadStatus::HIT);
  EXPECT_TRUE(sums.slices.empty());
  EXPECT_EQ(sums.checksums, read.checksums);
}

TEST_F(PrefetchTest, SaysFillingOnlyWhenTheBackingStoreIsRead) {
  int said = 0;
  EXPECT_EQ(begin(range(0, 0, 64), [&] { ++said; }).get().status, wire::ReadStatus::HIT);
  EXPECT_EQ(said, 1);
  EXPECT_EQ(begin(range(0, 0, 64), [&] { ++said; }).get().status, wire::ReadStatus::HIT);
  EXPECT_EQ(said, 1);
}

}  // namespace
}  // namespace shift::node
