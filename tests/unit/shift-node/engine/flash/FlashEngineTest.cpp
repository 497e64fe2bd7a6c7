#include "shift-node/engine/flash/FlashEngine.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <limits>
#include <set>

#include "tests/support/engine/FlashEngineFixture.h"

namespace shift::node {
namespace {

class FlashEngineTest : public test::FlashEngineFixture {};

TEST_F(FlashEngineTest, ComesBackWholeAfterACleanStop) {
  start();
  insert(1, 0, 3);
  insert(1, 1, 3);
  insert(2, 0, 4);
  engine_->remove(key(1, 1));
  restart();
  EXPECT_TRUE(get(1));
  EXPECT_FALSE(has(1, 1));
  EXPECT_TRUE(get(2));
  EXPECT_EQ(engine_->status().segments, 2u);
  EXPECT_EQ(engine_->status().usedBytes, 2 * kSegment);
  insert(3, 0, 9);
  insert(4, 0, 9);
  EXPECT_EQ(engine_->evictionFloor(), 3) << "scores come back too";
}

TEST_F(FlashEngineTest, StartsEmptyOnAnotherGeometry) {
  start();
  insert(1);
  engine_.reset();
  config_.segmentSize = 128 * kKiB;
  start();
  EXPECT_EQ(engine_->status().segments, 0u);
  EXPECT_FALSE(get(1));
}

TEST_F(FlashEngineTest, StartsEmptyOnGarbage) {
  for (std::size_t i = 0; i < image_->bytes.size(); ++i) {
    image_->bytes[i] = static_cast<std::byte>(i * 7919 >> 3);
  }
  start();
  EXPECT_EQ(engine_->status().segments, 0u);
  EXPECT_EQ(insert(1), InsertOutcome::kInserted);
  restart();
  EXPECT_TRUE(get(1));
}

TEST_F(FlashEngineTest, OneDamagedSuperblockIsNoLoss) {
  start();
  insert(1);
  engine_.reset();
  image_->bytes[100] ^= std::byte{1};
  start();
  EXPECT_TRUE(get(1));
}

TEST_F(FlashEngineTest, DamagedBytesAreAMissACounterAndForgotten) {
  start();
  insert(1);
  damageData();
  EXPECT_FALSE(get(1));
  EXPECT_EQ(count("engine_checksum_failures_total"), 1);
  EXPECT_FALSE(has(1));
  EXPECT_EQ(insert(1), InsertOutcome::kInserted);
  EXPECT_TRUE(get(1));
}

TEST_F(FlashEngineTest, AReadErrorIsAMissAndACounter) {
  start();
  insert(1);
  faults_->failReads(EIO);
  EXPECT_FALSE(get(1));
  EXPECT_EQ(count("engine_read_errors_total"), 1);
  EXPECT_EQ(count("engine_misses_total"), 1);
  faults_->failReads(0);
  EXPECT_TRUE(get(1)) << "one error is not the end";
}

TEST_F(FlashEngineTest, AWriteErrorForgetsTheSegment) {
  start();
  faults_->failWrites(ENOSPC);
  insert(1);
  EXPECT_EQ(count("engine_write_errors_total"), 1);
  EXPECT_FALSE(get(1));
  faults_->failWrites(0);
  for (std::uint32_t segment = 0; segment < 4; ++segment) {
    EXPECT_EQ(insert(2, segment), InsertOutcome::kInserted);
  }
  EXPECT_EQ(count("engine_evictions_total"), 0) << "its units came back";
}

TEST_F(FlashEngineTest, AfterRepeatedErrorsMemoryGoesOnAlone) {
  config_.dramBytes = 3 * kSegment;
  config_.errorsUntilOut = 3;
  start();
  for (std::uint64_t block = 1; block <= 4; ++block) {
    insert(block);
  }
  faults_->failReads(EIO);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(get(1)) << "memory had room for the last three only";
  }
  EXPECT_EQ(count("engine_devices_in_use"), 0);
  EXPECT_EQ(count("engine_lost_segments_total"), 4);
  EXPECT_TRUE(get(3));
  EXPECT_TRUE(get(4));
  EXPECT_EQ(insert(5), InsertOutcome::kInserted);
  EXPECT_EQ(insert(6), InsertOutcome::kInserted);
  EXPECT_TRUE(get(5));
  EXPECT_FALSE(has(3)) << "the least recently used";
  EXPECT_EQ(engine_->status().capacityBytes, 3 * kSegment);
  EXPECT_EQ(engine_->status().segments, 3u);
  EXPECT_EQ(engine_->evictionFloor(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(engine_->flush().ok());
}

TEST_F(FlashEngineTest, ASuccessForgivesEarlierErrors) {
  config_.errorsUntilOut = 2;
  start();
  insert(1);
  for (int i = 0; i < 5; ++i) {
    faults_->failReads(EIO);
    EXPECT_FALSE(get(1));
    faults_->failReads(0);
    EXPECT_TRUE(get(1));
  }
  EXPECT_EQ(count("engine_devices_in_use"), 1);
}

TEST_F(FlashEngineTest, AHangingReadIsAMissWhenItsTimeIsUp) {
  start();
  insert(1);
  faults_->hold();
  bool answered = false;
  const SegmentKey keys[] = {key(1)};
  engine_->lookup(keys, Check::kOnce, [&](std::vector<SegmentRef> found) { answered = !found[0]; });
  clock_.advance(config_.ioTimeout);
  engine_->expireOverdue();
  EXPECT_FALSE(answered) << "not a moment too early";
  clock_.advance(Duration(1));
  engine_->expireOverdue();
  EXPECT_TRUE(answered);
  EXPECT_EQ(count("engine_io_timeouts_total"), 1);
  faults_->release();
  EXPECT_EQ(count("engine_flash_queue_depth"), 0);
  EXPECT_TRUE(get(1));
}

TEST_F(FlashEngineTest, AHangingWriteDoesNotHoldUpAnyone) {
  start();
  faults_->hold();
  EXPECT_EQ(insert(1), InsertOutcome::kInserted);
  EXPECT_TRUE(get(1)) << "from the memory it waits in";
  clock_.advance(config_.ioTimeout + Duration(1));
  engine_->expireOverdue();
  EXPECT_EQ(count("engine_io_timeouts_total"), 1);
  engine_->remove(key(1));
  EXPECT_FALSE(get(1));
  faults_->release();
  EXPECT_TRUE(engine_->flush().ok());
  EXPECT_EQ(engine_->status().segments, 0u);
}

TEST_F(FlashEngineTest, AStallIsOneErrorHoweverManyWaited) {
  config_.errorsUntilOut = 2;
  start();
  faults_->hold();
  for (std::uint64_t block = 1; block <= 4; ++block) {
    insert(block);
  }
  clock_.advance(config_.ioTimeout + Duration(1));
  engine_->expireOverdue();
  EXPECT_EQ(count("engine_io_timeouts_total"), 4);
  EXPECT_EQ(count("engine_devices_in_use"), 1);
  faults_->release();
  EXPECT_TRUE(get(4)) << "late is not lost";
}

TEST_F(FlashEngineTest, ADeviceThatKeepsHangingIsTakenOutOfUse) {
  config_.errorsUntilOut = 2;
  start();
  faults_->hold();
  for (std::uint64_t block = 1; block <= 2; ++block) {
    insert(block);
    clock_.advance(config_.ioTimeout + Duration(1));
    engine_->expireOverdue();
  }
  EXPECT_EQ(count("engine_devices_in_use"), 0);
  EXPECT_FALSE(get(1));
  EXPECT_TRUE(engine_->flush().ok());
  faults_->release();
}

TEST_F(FlashEngineTest, UnitsBeingWrittenAreNotGivenAway) {
  start();
  faults_->hold();
  insert(1);
  engine_->remove(key(1));
  for (std::uint32_t segment = 0; segment < 3; ++segment) {
    EXPECT_EQ(insert(2, segment), InsertOutcome::kInserted);
  }
  faults_->release();
  for (std::uint32_t segment = 0; segment < 3; ++segment) {
    EXPECT_TRUE(get(2, segment));
  }
  EXPECT_EQ(insert(2, 3), InsertOutcome::kInserted);
  EXPECT_EQ(count("engine_evictions_total"), 0);
}

TEST_F(FlashEngineTest, ASegmentEvictedWhileItIsReadIsAnOrdinaryMissWhoeverVerifies) {
  start();
  for (const Check check : {Check::kOnce, Check::kLeftToCaller}) {
    insert(1);
    faults_->hold();
    bool found = true;
    const SegmentKey keys[] = {key(1)};
    engine_->lookup(keys, check, [&](std::vector<SegmentRef> refs) { found = static_cast<bool>(refs[0]); });
    engine_->remove(key(1));
    damageData();
    faults_->release();
    EXPECT_FALSE(found);
  }
  EXPECT_EQ(count("engine_checksum_failures_total"), 0);
  EXPECT_EQ(count("engine_overtaken_reads_total"), 2);
}

TEST_F(FlashEngineTest, TooManyWaitingWritesRefuseMore) {
  config_.writeBufferBytes = 2 * kSegment;
  start();
  faults_->hold();
  EXPECT_EQ(insert(1), InsertOutcome::kInserted);
  EXPECT_EQ(insert(2), InsertOutcome::kInserted);
  EXPECT_EQ(insert(3), InsertOutcome::kFailed);
  EXPECT_EQ(count("engine_inserts_failed_total"), 1);
  faults_->release();
  EXPECT_EQ(insert(3), InsertOutcome::kInserted);
}

TEST_F(FlashEngineTest, AnIndexThatCouldNotBeWrittenIsWrittenLater) {
  start();
  insert(1);
  faults_->failWrites(EIO);
  EXPECT_FALSE(engine_->flush().ok());
  EXPECT_FALSE(engine_->writeJournal().ok());
  EXPECT_EQ(count("engine_journal_errors_total"), 2);
  faults_->failWrites(0);
  insert(2);
  EXPECT_TRUE(engine_->flush().ok());
  restart();
  EXPECT_TRUE(get(1));
  EXPECT_TRUE(get(2));
}

TEST_F(FlashEngineTest, AnIndexThatCouldNotBeSyncedIsAnError) {
  start();
  insert(1);
  faults_->failSyncs(EIO);
  EXPECT_FALSE(engine_->flush().ok());
}

TEST_F(FlashEngineTest, LruEvictsByUseWhateverTheScores) {
  config_.mode = EvictionMode::kLru;
  start();
  EXPECT_FALSE(engine_->status().capabilities.scores);
  insert(1, 0, 9);
  insert(2, 0, 1);
  insert(3, 0, 1);
  insert(4, 0, 1);
  EXPECT_EQ(engine_->evictionFloor(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(get(2));
  EXPECT_EQ(insert(5, 0, -9), InsertOutcome::kInserted);
  EXPECT_FALSE(has(1));
  EXPECT_TRUE(has(2));
}

TEST_F(FlashEngineTest, FifoEvictsByAgeWhateverTheUse) {
  config_.mode = EvictionMode::kFifo;
  start();
  for (std::uint64_t block = 1; block <= 4; ++block) {
    insert(block);
  }
  EXPECT_TRUE(get(1));
  insert(5);
  EXPECT_FALSE(has(1));
}

TEST_F(FlashEngineTest, FifoWritesAgainWhatTheHookWantsToKeep) {
  config_.mode = EvictionMode::kFifo;
  std::set<std::uint64_t> wanted = {1, 2};
  hook_ = [&](const SegmentKey& asked) { return wanted.contains(asked.block.low); };
  start();
  EXPECT_TRUE(engine_->status().capabilities.reinsertion);
  for (std::uint64_t block = 1; block <= 5; ++block) {
    EXPECT_EQ(insert(block), InsertOutcome::kInserted);
  }
  EXPECT_TRUE(get(1));
  EXPECT_TRUE(get(2));
  EXPECT_FALSE(has(3));
  EXPECT_EQ(count("engine_reinsertions_total"), 2);
  EXPECT_EQ(count("engine_written_reinserted_bytes_total"), 2 * kSegment);
  EXPECT_EQ(count("engine_written_admitted_bytes_total"), 5 * kSegment);
}

TEST_F(FlashEngineTest, AHookThatWantsToKeepEverythingDoesNotStopInserts) {
  config_.mode = EvictionMode::kFifo;
  hook_ = [](const SegmentKey&) { return true; };
  start();
  for (std::uint64_t block = 1; block <= 9; ++block) {
    EXPECT_EQ(insert(block), InsertOutcome::kInserted);
  }
  EXPECT_EQ(engine_->status().segments, 4u);
}

TEST_F(FlashEngineTest, ARecentSegmentComesFromMemory) {
  config_.dramBytes = 2 * kSegment;
  start();
  insert(1);
  insert(2);
  insert(3);
  EXPECT_TRUE(get(3));
  EXPECT_EQ(count("engine_dram_hits_total"), 1);
  EXPECT_TRUE(get(1));
  EXPECT_EQ(count("engine_flash_hits_total"), 1);
  EXPECT_TRUE(get(1));
  EXPECT_EQ(count("engine_dram_hits_total"), 2) << "what flash gave, memory keeps";
}

TEST_F(FlashEngineTest, RefusesIndicesBeyondItsReach) {
  start();
  EXPECT_EQ(insert(1, kMaxSegmentsPerBlock), InsertOutcome::kRefused);
  EXPECT_EQ(insert(1, kMaxSegmentsPerBlock - 1), InsertOutcome::kInserted);
  EXPECT_TRUE(get(1, kMaxSegmentsPerBlock - 1));
}

TEST_F(FlashEngineTest, SpreadsOverDevicesAndLosesOnlyWhatTheFailedOneHeld) {
  config_.errorsUntilOut = 1;
  auto second = std::make_shared<test::DeviceImage>(test::deviceBytesFor(kUnits));
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(
      std::make_unique<test::FaultyDevice>(std::make_unique<test::FakeDevice>(image_), faults_));
  devices.push_back(std::make_unique<test::FakeDevice>(second));
  auto made = FlashEngine::create(config_, std::move(devices), clock_, counters_);
  ASSERT_TRUE(made.ok());
  engine_ = std::move(*made);
  for (std::uint64_t block = 1; block <= 8; ++block) {
    EXPECT_EQ(insert(block), InsertOutcome::kInserted);
  }
  EXPECT_EQ(engine_->status().segments, 8u);
  faults_->failReads(EIO);
  int found = 0;
  for (std::uint64_t block = 1; block <= 8; ++block) {
    found += get(block) ? 1 : 0;
  }
  EXPECT_EQ(found, 4);
  EXPECT_EQ(engine_->status().segments, 4u);
  EXPECT_EQ(count("engine_lost_segments_total"), 4);
  EXPECT_EQ(insert(9), InsertOutcome::kInserted);
  EXPECT_TRUE(get(9));
}

}  // namespace
}  // namespace shift::node
