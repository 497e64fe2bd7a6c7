#include <gtest/gtest.h>

#include <cerrno>

#include "common/ByteSize.h"
#include "shift-node/engine/flash/FlashEngine.h"
#include "tests/support/engine/EngineTestKit.h"
#include "tests/support/engine/FaultyDevice.h"

namespace shift::node {
namespace {

/** Flash for four segments, memory for one. */
class FlashStatusTest : public testing::Test {
 protected:
  FlashStatusTest() {
    FlashEngineConfig config = test::smallConfig();
    config.errorsUntilOut = 1;
    segment_ = config.segmentSize;
    config.dramBytes = segment_;
    const auto image = std::make_shared<test::DeviceImage>(test::deviceBytesFor(4 * segment_ / kUnitBytes));
    engine_ = test::makeEngine(
        config, std::make_unique<test::FaultyDevice>(std::make_unique<test::FakeDevice>(image), faults_),
        clock_, counters_);
    for (const SegmentKey& key : {kFirst, kSecond}) {
      EXPECT_EQ(engine_->insert(key, test::makeSegment(key, segment_), 0), InsertOutcome::kInserted);
    }
  }

  const SegmentKey kFirst{{1, 1}, 0};
  const SegmentKey kSecond{{2, 2}, 0};
  std::uint32_t segment_ = 0;
  const std::shared_ptr<test::Faults> faults_ = std::make_shared<test::Faults>();
  const ManualClock clock_;
  CounterRegistry counters_;
  std::unique_ptr<FlashEngine> engine_;
};

TEST_F(FlashStatusTest, ALookupSaysWhichTierItFoundTheSegmentIn) {
  EXPECT_EQ(test::lookUp(*engine_, kSecond).tier, Tier::kDram);
  EXPECT_EQ(test::lookUp(*engine_, kFirst).tier, Tier::kFlash);
  EXPECT_EQ(test::lookUp(*engine_, kFirst).tier, Tier::kDram) << "where the last lookup brought it";
}

TEST_F(FlashStatusTest, TellsWhatEachTierHolds) {
  const EngineStatus status = engine_->status();
  ASSERT_EQ(status.tiers.size(), 2u);
  EXPECT_EQ(status.tiers[0].tier, Tier::kDram);
  EXPECT_EQ(status.tiers[0].capacityBytes, segment_);
  EXPECT_EQ(status.tiers[0].segments, 1u);
  EXPECT_EQ(status.tiers[1].tier, Tier::kFlash);
  EXPECT_EQ(status.tiers[1].capacityBytes, 4 * segment_);
  EXPECT_EQ(status.tiers[1].usedBytes, 2 * segment_);
}

TEST_F(FlashStatusTest, NamesADeviceThatIsOutOfUse) {
  ASSERT_EQ(engine_->status().devices.size(), 1u);
  EXPECT_TRUE(engine_->status().devices[0].isInUse);
  faults_->failReads(EIO);
  EXPECT_FALSE(test::lookUp(*engine_, kFirst));
  EXPECT_FALSE(engine_->status().devices[0].isInUse);
  EXPECT_FALSE(engine_->status().devices[0].name.empty());
  EXPECT_EQ(engine_->status().tiers[1].capacityBytes, 0u);
}

}  // namespace
}  // namespace shift::node
