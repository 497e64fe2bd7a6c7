#include "tools/sim/EngineModel.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "blocks/Checksum.h"
#include "common/Counters.h"
#include "shift-node/engine/MemoryEngine.h"

namespace shift::sim {
namespace {

constexpr std::uint32_t kBlocks = 40;
constexpr std::uint32_t kPerBlock = 8;
constexpr std::uint32_t kBytes = 4096;

SegmentKey keyOf(std::uint32_t block, std::uint32_t segment) {
  return {{block, block}, segment};
}

TEST(EngineModel, EvictsTheWorstScoreThenTheColdest) {
  EngineModel engine(3 * kBytes, kBlocks, kPerBlock, {});
  EXPECT_EQ(engine.evictionFloor(), -std::numeric_limits<double>::infinity());
  ASSERT_TRUE(engine.insert(1, 0, kBytes, 5));
  ASSERT_TRUE(engine.insert(2, 0, kBytes, 1));
  ASSERT_TRUE(engine.insert(3, 0, kBytes, 1));
  EXPECT_EQ(engine.evictionFloor(), 1);
  EXPECT_FALSE(engine.insert(4, 0, kBytes, 0));
  engine.touch(2, 0);
  ASSERT_TRUE(engine.insert(4, 0, kBytes, 2));
  EXPECT_FALSE(engine.contains(3, 0));
  EXPECT_TRUE(engine.contains(2, 0));
}

TEST(EngineModel, WritesAgainWhatTheHookWants) {
  EngineModel engine(2 * kBytes, kBlocks, kPerBlock, [](std::uint32_t block) { return block == 1; });
  ASSERT_TRUE(engine.insert(1, 0, kBytes, 0));
  ASSERT_TRUE(engine.insert(2, 0, kBytes, 0));
  ASSERT_TRUE(engine.insert(3, 0, kBytes, 0));
  EXPECT_TRUE(engine.contains(1, 0));
  EXPECT_FALSE(engine.contains(2, 0));
  EXPECT_EQ(engine.reinsertedBytes(), kBytes);
}

TEST(EngineModel, HoldsWhatTheNodesEngineHolds) {
  CounterRegistry counters;
  node::MemoryEngine real({.capacityBytes = 50 * kBytes}, counters);
  EngineModel model(50 * kBytes, kBlocks, kPerBlock, {});
  std::mt19937 random(9);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t block = random() % kBlocks;
    const std::uint32_t segment = random() % kPerBlock;
    const double score = static_cast<double>(random() % 5);
    const SegmentKey key = keyOf(block, segment);
    switch (random() % 4) {
      case 0: {
        const node::GroupScore change{key.block, score};
        real.setScores({&change, 1});
        model.setScore(block, score);
        break;
      }
      default: {
        bool held = false;
        real.lookup({&key, 1}, node::Check::kOnce,
                    [&](std::vector<node::SegmentRef> found) { held = static_cast<bool>(found[0]); });
        ASSERT_EQ(model.contains(block, segment), held);
        if (held) {
          model.touch(block, segment);
        } else {
          const node::SegmentRef bytes{node::allocateSegment(kBytes), kBytes, 0};
          const bool inserted = real.insert(key, bytes, score) == node::InsertOutcome::kInserted;
          ASSERT_EQ(model.insert(block, segment, kBytes, score), inserted);
        }
      }
    }
    ASSERT_EQ(model.evictionFloor(), real.evictionFloor());
  }
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    for (std::uint32_t segment = 0; segment < kPerBlock; ++segment) {
      const SegmentKey key = keyOf(block, segment);
      EXPECT_EQ(model.contains(block, segment), real.probe({&key, 1})[0]);
    }
  }
}

}  // namespace
}  // namespace shift::sim
