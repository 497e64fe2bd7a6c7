#include "shift-node/engine/MemoryEngine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "blocks/Checksum.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

constexpr std::uint32_t kSegment = 64;

/** A small engine, and verbs to tell its story with. Blocks are named by one number. */
class MemoryEngineTest : public testing::Test {
 protected:
  static SegmentKey key(std::uint64_t block, std::uint32_t segment) { return {{block, block}, segment}; }

  InsertOutcome insert(std::uint64_t block, std::uint32_t segment, double score = 0) {
    const auto memory = allocateSegment(kSegment);
    std::memset(memory.get(), static_cast<int>(block * 16 + segment), kSegment);
    const SegmentKey name = key(block, segment);
    return engine_.insert(name, {memory, kSegment, checksumOf(name, 0, {memory.get(), kSegment})}, score);
  }

  SegmentRef get(std::uint64_t block, std::uint32_t segment) {
    SegmentRef result;
    const SegmentKey keys[] = {key(block, segment)};
    engine_.lookup(keys, [&](std::vector<SegmentRef> found) { result = found.at(0); });
    return result;
  }

  bool has(std::uint64_t block, std::uint32_t segment) {
    const SegmentKey keys[] = {key(block, segment)};
    return engine_.probe(keys)[0];
  }

  CounterRegistry counters_;
  MemoryEngine engine_{{.capacityBytes = 4 * kSegment}, counters_};
};

TEST_F(MemoryEngineTest, ReturnsTheBytesThatWereInserted) {
  EXPECT_EQ(insert(1, 2), InsertOutcome::kInserted);
  const SegmentRef found = get(1, 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found.bytes()[5], std::byte{18});
  EXPECT_EQ(found.checksum, checksumOf(key(1, 2), 0, found.bytes()));
  EXPECT_FALSE(get(1, 3));
  EXPECT_FALSE(get(2, 2));
}

TEST_F(MemoryEngineTest, AnswersManyKeysInTheirOrder) {
  insert(1, 0);
  insert(3, 0);
  const SegmentKey keys[] = {key(3, 0), key(2, 0), key(1, 0)};
  std::vector<SegmentRef> found;
  engine_.lookup(keys, [&](std::vector<SegmentRef> segments) { found = std::move(segments); });
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].bytes()[0], std::byte{48});
  EXPECT_FALSE(found[1]);
  EXPECT_EQ(found[2].bytes()[0], std::byte{16});
}

TEST_F(MemoryEngineTest, EvictsTheLeastRecentlyUsedAmongEqualScores) {
  insert(1, 0);
  insert(2, 0);
  insert(1, 1);
  insert(3, 0);
  get(1, 0);
  insert(4, 0);
  EXPECT_FALSE(has(2, 0));
  EXPECT_TRUE(has(1, 0));
  insert(5, 0);
  EXPECT_FALSE(has(1, 1)) << "recency is the segment's, not its group's";
  EXPECT_TRUE(has(1, 0));
}

TEST_F(MemoryEngineTest, EvictsTheWorstScoreBeforeTheLeastRecent) {
  insert(1, 0, 5);
  insert(2, 0, 3);
  insert(3, 0, 4);
  insert(2, 1, 3);
  EXPECT_EQ(engine_.evictionFloor(), 3);
  insert(4, 0, 6);
  EXPECT_FALSE(has(2, 0));
  EXPECT_TRUE(has(2, 1));
  EXPECT_TRUE(has(1, 0));
}

TEST_F(MemoryEngineTest, RefusesWhatWouldBeTheFirstToGo) {
  for (std::uint32_t segment = 0; segment < 4; ++segment) {
    insert(1, segment, 5);
  }
  EXPECT_EQ(insert(2, 0, 4), InsertOutcome::kRefused);
  EXPECT_EQ(engine_.status().segments, 4u);
  EXPECT_EQ(insert(2, 0, 5), InsertOutcome::kInserted);
}

TEST_F(MemoryEngineTest, ScoresMayChangeAtAnyTime) {
  insert(1, 0, 5);
  insert(2, 0, 6);
  insert(3, 0, 7);
  insert(4, 0, 8);
  const GroupScore changes[] = {{{1, 1}, 9}, {{4, 4}, 1}, {{77, 77}, 0}};
  engine_.setScores(changes);
  EXPECT_EQ(engine_.evictionFloor(), 1);
  insert(5, 0, 9);
  EXPECT_FALSE(has(4, 0));
  EXPECT_TRUE(has(1, 0));
}

TEST_F(MemoryEngineTest, TheFloorIsMinusInfinityWhileThereIsRoom) {
  insert(1, 0, 5);
  insert(1, 1, 5);
  insert(1, 2, 5);
  EXPECT_EQ(engine_.evictionFloor(), -std::numeric_limits<double>::infinity());
  insert(1, 3, 5);
  EXPECT_EQ(engine_.evictionFloor(), 5);
  engine_.remove(key(1, 0));
  EXPECT_EQ(engine_.evictionFloor(), -std::numeric_limits<double>::infinity());
}

TEST_F(MemoryEngineTest, AReferenceOutlivesEvictionAndRemoval) {
  insert(1, 0);
  const SegmentRef held = get(1, 0);
  engine_.remove(key(1, 0));
  EXPECT_FALSE(has(1, 0));
  EXPECT_EQ(held.bytes()[0], std::byte{16});
}

TEST_F(MemoryEngineTest, InsertingTwiceChangesNothing) {
  EXPECT_EQ(insert(1, 0), InsertOutcome::kInserted);
  EXPECT_EQ(insert(1, 0), InsertOutcome::kPresent);
  EXPECT_EQ(engine_.status().usedBytes, kSegment);
}

TEST_F(MemoryEngineTest, RefusesASegmentLargerThanItself) {
  const auto memory = allocateSegment(5 * kSegment);
  EXPECT_EQ(engine_.insert(key(1, 0), {memory, 5 * kSegment, 0}, 0), InsertOutcome::kRefused);
}

TEST(AllocateSegment, IsAlignedAndZeroBeyondTheEnd) {
  const auto memory = allocateSegment(5000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % kBufferAlignment, 0u);
  for (std::size_t at = 5000; at < 8192; ++at) {
    ASSERT_EQ(memory.get()[at], std::byte{0});
  }
}

}  // namespace
}  // namespace shift::node
