#include "shift-node/CacheKeeper.h"

#include <gtest/gtest.h>

#include "blocks/Geometry.h"
#include "shift-node/engine/MemoryEngine.h"
#include "tests/support/MemoryStore.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

constexpr std::uint32_t kSegment = 64 * kKiB;
constexpr std::uint64_t kBlock = 4 * kSegment;

class CacheKeeperTest : public testing::Test {
 protected:
  /** A file of six and a half segments, the first `cached` of which are in the cache. */
  void addFile(const std::string& path, std::uint32_t cached) {
    store_.put(path, std::string(6 * kSegment + kSegment / 2, 'x'), "v1");
    for (std::uint32_t i = 0; i < cached; ++i) {
      const SegmentKey key = keyOf(path, i);
      const std::uint32_t size = i == 6 ? kSegment / 2 : kSegment;
      ASSERT_EQ(engine_.insert(key, test::makeSegment(key, size), 0), InsertOutcome::kInserted);
    }
  }
  static SegmentKey keyOf(const std::string& path, std::uint32_t segment) {
    return {blockIdOf("s", path, "v1", kBlock, segment / 4), segment % 4};
  }
  std::uint64_t held() const { return engine_.status().segments; }

  CounterRegistry counters_;
  MemoryEngine engine_{{.capacityBytes = 1000 * kSegment}, counters_};
  test::MemoryStore store_{"s"};
  CacheKeeper keeper_{{.engine = engine_, .store = store_, .blockSize = kBlock, .segmentSize = kSegment}};
};

TEST_F(CacheKeeperTest, EvictsAFileAndNothingElse) {
  addFile("t/a", 7);
  addFile("t/b", 3);
  const auto evicted = keeper_.evict("t/a");
  ASSERT_TRUE(evicted) << evicted.error().message;
  EXPECT_EQ(evicted->files, 1u);
  EXPECT_EQ(evicted->segments, 7u);
  EXPECT_EQ(evicted->bytes, 6 * kSegment + kSegment / 2);
  EXPECT_EQ(held(), 3u);
}

TEST_F(CacheKeeperTest, EvictsAllFilesBelowADirectory) {
  addFile("t/a", 2);
  addFile("t/deep/b", 3);
  addFile("other", 1);
  const auto evicted = keeper_.evict("t");
  ASSERT_TRUE(evicted) << evicted.error().message;
  EXPECT_EQ(evicted->files, 2u);
  EXPECT_EQ(evicted->segments, 5u);
  EXPECT_EQ(held(), 1u);
}

TEST_F(CacheKeeperTest, EvictsEverythingOnlyWhenAskedTo) {
  addFile("a", 7);
  EXPECT_FALSE(keeper_.evict("../a"));
  EXPECT_EQ(held(), 7u);
  const CacheKeeper::Evicted evicted = keeper_.evictAll();
  EXPECT_EQ(evicted.segments, 7u);
  EXPECT_EQ(evicted.bytes, 6 * kSegment + kSegment / 2);
  EXPECT_EQ(held(), 0u);
}

TEST_F(CacheKeeperTest, VerifiesAllStepByStep) {
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) {
    addFile(name, 7);
  }
  std::uint64_t segments = 0;
  std::uint64_t steps = 0;
  std::string cursor;
  do {
    const auto step = keeper_.verify(cursor);
    ASSERT_TRUE(step) << step.error().message;
    EXPECT_EQ(step->failures, 0u);
    segments += step->verified.segments;
    cursor = step->cursor;
    ++steps;
  } while (!cursor.empty());
  EXPECT_EQ(segments, 70u);
  EXPECT_GE(steps, 3u) << "a step takes a bounded time";
}

TEST_F(CacheKeeperTest, ACursorThatIsNoneIsRefused) {
  for (const char* cursor : {"x", "1", "1:", ":1", "99:0", "0:1x", "-1:0"}) {
    EXPECT_FALSE(keeper_.verify(cursor)) << cursor;
  }
}

TEST_F(CacheKeeperTest, TellsHowMuchOfABlockIsCached) {
  addFile("a", 6);
  EXPECT_EQ(keeper_.cachedBytes(keyOf("a", 0).block, kBlock), kBlock);
  EXPECT_EQ(keeper_.cachedBytes(keyOf("a", 4).block, 2 * kSegment + kSegment / 2), 2 * kSegment);
}

}  // namespace
}  // namespace shift::node
