#include <gtest/gtest.h>

#include "client-lib/Client.h"
#include "tests/support/ClientFixture.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::client {
namespace {

constexpr std::uint32_t kFlashSegment = 64 * kKiB;
constexpr std::uint64_t kFlashFile = 3 * kFlashSegment + 5000;  // more than a unit: memory has no room for it
constexpr std::uint32_t kDataUnits = 8 * kFlashSegment / node::kUnitBytes;

/** A file on the flash of a node whose memory holds next to nothing, and a client. */
class SpoiltFlashTest : public test::ClientFixture {
 protected:
  void SetUp() override {
    for (test::MemoryStore* store : {&store_, &flashNode_.store}) {
      store->put("t/f", long_, "v1");
    }
  }

  void start() {
    config_.blockSize = kDefaultBlockSize;
    connect({flashNode_.serve()});
    EXPECT_EQ(read(0, kFlashFile), long_) << "filled";
    fillReads_ = flashNode_.store.reads();
  }

  void spoilFlash() { test::spoilData(*image_, kDataUnits); }

  const std::string long_ = test::patternedBytes(kFlashFile, 3);
  ManualClock engineClock_;
  CounterRegistry engineCounters_;
  std::shared_ptr<test::DeviceImage> image_ =
      std::make_shared<test::DeviceImage>(test::deviceBytesFor(kDataUnits));
  std::unique_ptr<node::FlashEngine> engine_ = test::makeEngine(
      test::smallConfig(), std::make_unique<test::FakeDevice>(image_), engineClock_, engineCounters_);
  test::InProcessNode flashNode_{{.segmentSize = kFlashSegment, .maxReadBytes = 8 * kFlashSegment},
                                 engine_.get()};
  std::size_t fillReads_ = 0;  // of the backing store, by the node
};

TEST_F(SpoiltFlashTest, IsNoticedByTheClientDroppedByTheNodeAndFetchedAnew) {
  start();
  spoilFlash();
  EXPECT_EQ(read(0, kFlashFile), long_);
  EXPECT_EQ(client_->stats().checksumMismatches, 1u) << "the one get was asked for once more";
  EXPECT_EQ(client_->stats().bytesFromBackingStore, 0u) << "and the node gave it";
  EXPECT_GT(flashNode_.store.reads(), fillReads_) << "after it had fetched it again";
  EXPECT_EQ(test::valueOf(engineCounters_, "engine_checksum_failures_total"), 4);

  EXPECT_EQ(read(0, kFlashFile), long_);
  EXPECT_EQ(client_->stats().checksumMismatches, 1u) << "what is cached now is good";
}

TEST_F(SpoiltFlashTest, IsNoticedByTheNodeIfTheClientDoesNotVerify) {
  config_.verify = false;
  start();
  spoilFlash();
  EXPECT_EQ(read(0, kFlashFile), long_);
  EXPECT_EQ(client_->stats().checksumMismatches, 0u);
  EXPECT_EQ(test::valueOf(engineCounters_, "engine_checksum_failures_total"), 4);
}

TEST_F(SpoiltFlashTest, IsNoticedByTheNodeWhereASegmentIsCut) {
  start();
  spoilFlash();
  EXPECT_EQ(read(10, 1000), long_.substr(10, 1000));
  EXPECT_EQ(client_->stats().checksumMismatches, 0u);
  EXPECT_EQ(test::valueOf(engineCounters_, "engine_checksum_failures_total"), 1);
}

}  // namespace
}  // namespace shift::client
