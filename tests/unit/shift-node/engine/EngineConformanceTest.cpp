// What every engine must do. A new engine joins by adding itself to the list at the end.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <iterator>
#include <limits>
#include <memory>

#include "blocks/Checksum.h"
#include "shift-node/engine/MemoryEngine.h"
#include "shift-node/engine/flash/FlashFile.h"
#include "shift-node/engine/flash/ThreadPoolDevice.h"
#include "shift-node/engine/flash/UringDevice.h"
#include "tests/support/TemporaryDirectory.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

using test::makeSegment;

constexpr std::uint32_t kSegment = 64 * kKiB;
constexpr std::uint32_t kUnitsOfFour = 4 * kSegment / kUnitBytes;

/** What an engine under test needs around itself. */
struct Surroundings {
  ManualClock clock;
  CounterRegistry counters;
  test::TemporaryDirectory directory;
};

/** Makes an engine that holds exactly four segments of 64 KiB and evicts by score. */
struct Contestant {
  std::string name;
  std::function<std::unique_ptr<Engine>(Surroundings&)> make;
};

std::unique_ptr<Device> onFile(Surroundings& around, bool withRing) {
  Result<FlashFile> file = FlashFile::open({around.directory / "cache", test::deviceBytesFor(kUnitsOfFour)});
  EXPECT_TRUE(file.ok());
  if (withRing) {
    Result<std::unique_ptr<UringDevice>> ring = UringDevice::open(*file, 8, {});
    if (ring) {
      return std::move(*ring);
    }
  }
  return std::make_unique<ThreadPoolDevice>(std::move(*file), 3);
}

std::unique_ptr<Device> onFake(Surroundings&) {
  return std::make_unique<test::FakeDevice>(
      std::make_shared<test::DeviceImage>(test::deviceBytesFor(kUnitsOfFour)));
}

FlashEngineConfig withDram() {
  FlashEngineConfig config = test::smallConfig();
  config.dramBytes = 2 * kSegment;
  return config;
}

/** A small engine, and verbs to tell its story with. Blocks are named by one number. */
class EngineConformance : public testing::TestWithParam<Contestant> {
 protected:
  static SegmentKey key(std::uint64_t block, std::uint32_t segment) { return {{block, block}, segment}; }

  InsertOutcome insert(std::uint64_t block, std::uint32_t segment, double score = 0) {
    const SegmentKey name = key(block, segment);
    const InsertOutcome outcome = engine_->insert(name, makeSegment(name, kSegment), score);
    EXPECT_TRUE(engine_->flush().ok());
    return outcome;
  }

  bool get(std::uint64_t block, std::uint32_t segment) {
    const SegmentKey name = key(block, segment);
    const SegmentRef found = test::lookUp(*engine_, name);
    EXPECT_TRUE(!found || (found.size == kSegment && test::isSegment(found, name)));
    return static_cast<bool>(found);
  }

  bool has(std::uint64_t block, std::uint32_t segment) { return test::isHeld(*engine_, key(block, segment)); }

  Surroundings around_;
  std::unique_ptr<Engine> engine_ = GetParam().make(around_);
};

TEST_P(EngineConformance, ReturnsTheBytesThatWereInserted) {
  EXPECT_EQ(insert(1, 2), InsertOutcome::kInserted);
  const SegmentRef found = test::lookUp(*engine_, key(1, 2));
  ASSERT_TRUE(test::isSegment(found, key(1, 2)));
  EXPECT_EQ(found.checksum, checksumOf(key(1, 2), 0, found.bytes()));
  EXPECT_FALSE(get(1, 3));
  EXPECT_FALSE(get(2, 2));
}

TEST_P(EngineConformance, HoldsShortSegments) {
  for (const std::uint32_t size : {1u, 4095u, 4096u, 4097u, 65535u}) {
    const SegmentKey name = key(9, size);
    ASSERT_EQ(engine_->insert(name, makeSegment(name, size), 0), InsertOutcome::kInserted);
    ASSERT_TRUE(engine_->flush().ok());
    const SegmentRef found = test::lookUp(*engine_, name);
    EXPECT_EQ(found.size, size);
    EXPECT_TRUE(test::isSegment(found, name));
  }
}

TEST_P(EngineConformance, AnswersManyKeysInTheirOrder) {
  insert(1, 0);
  insert(3, 0);
  const SegmentKey keys[] = {key(3, 0), key(2, 0), key(1, 0)};
  std::promise<std::vector<SegmentRef>> answer;
  engine_->lookup(keys, Check::kOnce,
                  [&](std::vector<SegmentRef> segments) { answer.set_value(std::move(segments)); });
  const std::vector<SegmentRef> found = answer.get_future().get();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(test::isSegment(found[0], key(3, 0)));
  EXPECT_FALSE(found[1]);
  EXPECT_TRUE(test::isSegment(found[2], key(1, 0)));
}

TEST_P(EngineConformance, AnswersALookupOfNothing) {
  bool answered = false;
  engine_->lookup({}, Check::kOnce, [&](std::vector<SegmentRef> segments) { answered = segments.empty(); });
  EXPECT_TRUE(answered);
}

TEST_P(EngineConformance, GivesWhatIsInOrderWhoeverVerifiesIt) {
  insert(1, 0);
  for (const Check check : {Check::kLeftToCaller, Check::kOnce, Check::kAnew}) {
    EXPECT_TRUE(test::isSegment(test::lookUp(*engine_, key(1, 0), check), key(1, 0)));
    EXPECT_FALSE(test::lookUp(*engine_, key(2, 0), check));
  }
  EXPECT_EQ(engine_->status().totals.failures, 0u);
}

TEST_P(EngineConformance, AScoreThatIsNotANumberIsTheWorst) {
  const double notANumber = std::numeric_limits<double>::quiet_NaN();
  insert(1, 0, notANumber);
  insert(2, 0, 5);
  const GroupScore twice[] = {{key(1, 0).block, notANumber}, {key(1, 0).block, notANumber}};
  engine_->setScores(twice);
  for (std::uint64_t block = 3; block <= 5; ++block) {
    insert(block, 0, -1e300);
  }
  EXPECT_FALSE(has(1, 0));
  EXPECT_TRUE(has(2, 0));
  EXPECT_TRUE(has(3, 0));
}

TEST_P(EngineConformance, TellsTheKeysOfAllThatItHolds) {
  insert(1, 0);
  insert(2, 0);
  insert(2, 1);
  engine_->remove(key(2, 0));
  std::vector<SegmentKey> keys;
  for (std::size_t part = 0; part < engine_->keyParts(); ++part) {
    std::ranges::copy(engine_->keysIn(part), std::back_inserter(keys));
  }
  std::ranges::sort(keys);
  EXPECT_EQ(keys, (std::vector{key(1, 0), key(2, 1)}));
}

TEST_P(EngineConformance, VerifiesWithoutCountingItAsAUse) {
  insert(1, 0);
  insert(2, 0);
  insert(3, 0);
  insert(4, 0);
  const SegmentKey keys[] = {key(1, 0), key(2, 0), key(7, 0)};
  std::promise<Verified> answer;
  engine_->verify(keys, [&](Verified verified) { answer.set_value(verified); });
  const Verified verified = answer.get_future().get();
  EXPECT_EQ(verified.segments, 2u);
  EXPECT_EQ(verified.bytes, 2u * kSegment);
  insert(5, 0);
  EXPECT_FALSE(has(1, 0)) << "it is still the one that was used longest ago";
  EXPECT_TRUE(has(2, 0));
}

TEST_P(EngineConformance, EvictsTheLeastRecentlyUsedAmongEqualScores) {
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

TEST_P(EngineConformance, AProbeIsNotAUse) {
  insert(1, 0);
  insert(2, 0);
  insert(3, 0);
  insert(4, 0);
  EXPECT_TRUE(has(1, 0));
  insert(5, 0);
  EXPECT_FALSE(has(1, 0));
}

TEST_P(EngineConformance, EvictsTheWorstScoreBeforeTheLeastRecent) {
  insert(1, 0, 5);
  insert(2, 0, 3);
  insert(3, 0, 4);
  insert(2, 1, 3);
  EXPECT_EQ(engine_->evictionFloor(), 3);
  insert(4, 0, 6);
  EXPECT_FALSE(has(2, 0));
  EXPECT_TRUE(has(2, 1));
  EXPECT_TRUE(has(1, 0));
}

TEST_P(EngineConformance, RefusesWhatWouldBeTheFirstToGo) {
  for (std::uint32_t segment = 0; segment < 4; ++segment) {
    insert(1, segment, 5);
  }
  EXPECT_EQ(insert(2, 0, 4), InsertOutcome::kRefused);
  EXPECT_EQ(engine_->status().segments, 4u);
  EXPECT_EQ(insert(2, 0, 5), InsertOutcome::kInserted);
}

TEST_P(EngineConformance, ScoresMayChangeAtAnyTime) {
  insert(1, 0, 5);
  insert(2, 0, 6);
  insert(3, 0, 7);
  insert(4, 0, 8);
  const GroupScore changes[] = {{{1, 1}, 9}, {{4, 4}, 1}, {{77, 77}, 0}};
  engine_->setScores(changes);
  EXPECT_EQ(engine_->evictionFloor(), 1);
  insert(5, 0, 9);
  EXPECT_FALSE(has(4, 0));
  EXPECT_TRUE(has(1, 0));
}

TEST_P(EngineConformance, AnInsertScoresItsWholeGroup) {
  insert(1, 0, 5);
  insert(2, 0, 6);
  insert(1, 1, 9);
  insert(3, 0, 7);
  EXPECT_EQ(engine_->evictionFloor(), 6);
}

TEST_P(EngineConformance, TheFloorIsMinusInfinityWhileThereIsRoom) {
  insert(1, 0, 5);
  insert(1, 1, 5);
  insert(1, 2, 5);
  EXPECT_EQ(engine_->evictionFloor(), -std::numeric_limits<double>::infinity());
  insert(1, 3, 5);
  EXPECT_EQ(engine_->evictionFloor(), 5);
  engine_->remove(key(1, 0));
  EXPECT_EQ(engine_->evictionFloor(), -std::numeric_limits<double>::infinity());
}

TEST_P(EngineConformance, AReferenceOutlivesEvictionAndRemoval) {
  insert(1, 0);
  const SegmentRef held = test::lookUp(*engine_, key(1, 0));
  engine_->remove(key(1, 0));
  EXPECT_FALSE(has(1, 0));
  for (std::uint64_t block = 2; block < 9; ++block) {
    insert(block, 0);
  }
  EXPECT_TRUE(test::isSegment(held, key(1, 0)));
}

TEST_P(EngineConformance, AReferenceOutlivesTheEngine) {
  insert(1, 0);
  const SegmentRef held = test::lookUp(*engine_, key(1, 0));
  engine_.reset();
  EXPECT_TRUE(test::isSegment(held, key(1, 0)));
}

TEST_P(EngineConformance, InsertingTwiceChangesNothing) {
  EXPECT_EQ(insert(1, 0), InsertOutcome::kInserted);
  EXPECT_EQ(insert(1, 0), InsertOutcome::kPresent);
  EXPECT_EQ(engine_->status().usedBytes, kSegment);
  EXPECT_EQ(engine_->status().segments, 1u);
}

TEST_P(EngineConformance, RefusesASegmentLargerThanItself) {
  EXPECT_EQ(engine_->insert(key(1, 0), makeSegment(key(1, 0), 5 * kSegment), 0), InsertOutcome::kRefused);
}

TEST_P(EngineConformance, TellsWhatItIs) {
  const EngineStatus status = engine_->status();
  EXPECT_EQ(status.capacityBytes, 4 * kSegment);
  EXPECT_EQ(status.usedBytes, 0u);
  EXPECT_TRUE(status.capabilities.scores);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, EngineConformance,
    testing::Values(Contestant{"Memory",
                               [](Surroundings& around) {
                                 return std::make_unique<MemoryEngine>(MemoryEngineConfig{4 * kSegment},
                                                                       around.counters);
                               }},
                    Contestant{"FlashAlone",
                               [](Surroundings& around) {
                                 return test::makeEngine(test::smallConfig(), onFake(around), around.clock,
                                                         around.counters);
                               }},
                    Contestant{"FlashBehindDram",
                               [](Surroundings& around) {
                                 return test::makeEngine(withDram(), onFake(around), around.clock,
                                                         around.counters);
                               }},
                    Contestant{"FlashByRing",
                               [](Surroundings& around) {
                                 return test::makeEngine(withDram(), onFile(around, true), around.clock,
                                                         around.counters);
                               }},
                    Contestant{"FlashByThreads",
                               [](Surroundings& around) {
                                 return test::makeEngine(withDram(), onFile(around, false), around.clock,
                                                         around.counters);
                               }}),
    [](const testing::TestParamInfo<Contestant>& contestant) { return contestant.param.name; });

TEST(MemoryEngineTest, DropsWhatMemoryHasSpoiltWhenSomebodyDoubtsIt) {
  CounterRegistry counters;
  MemoryEngine engine({4 * kSegment}, counters);
  const SegmentKey name{{1, 1}, 0};
  ASSERT_EQ(engine.insert(name, makeSegment(name, 100), 0), InsertOutcome::kInserted);
  const SegmentRef held = test::lookUp(engine, name, Check::kAnew);
  ASSERT_TRUE(held);
  const_cast<std::byte&>(held.data.get()[50]) ^= std::byte{1};
  EXPECT_FALSE(test::lookUp(engine, name, Check::kAnew));
  EXPECT_FALSE(test::isHeld(engine, name));
  EXPECT_EQ(engine.status().totals.failures, 1u);
}

TEST(MemoryEngineTest, HoldsWhatFindsNoRoomInItsArenaElsewhere) {
  CounterRegistry counters;
  MemoryEngine engine({2 * kSegment}, counters);
  std::vector<SegmentRef> inUse;
  for (std::uint64_t block = 0; block < 6; ++block) {
    const SegmentKey name{{block, block}, 0};
    ASSERT_EQ(engine.insert(name, makeSegment(name, kSegment), 0), InsertOutcome::kInserted);
    inUse.push_back(test::lookUp(engine, name));  // its memory stays in use when it is evicted
  }
  EXPECT_EQ(engine.status().usedBytes, 2 * kSegment);
  for (std::uint64_t block = 0; block < 6; ++block) {
    EXPECT_TRUE(test::isSegment(inUse[block], {{block, block}, 0})) << block;
  }
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
