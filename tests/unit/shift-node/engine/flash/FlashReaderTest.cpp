#include "shift-node/engine/flash/FlashReader.h"

#include <gtest/gtest.h>

#include "common/ByteSize.h"
#include "tests/support/engine/EngineTestKit.h"
#include "tests/support/engine/FaultyDevice.h"

namespace shift::node {
namespace {

TEST(FlashReader, ReadsALargeSegmentInHalvesOnlyWhileTheDeviceIsIdle) {
  constexpr std::uint32_t kLarge = 256 * kKiB;
  FlashEngineConfig config = test::smallConfig();
  config.segmentSize = kLarge;
  const auto image = std::make_shared<test::DeviceImage>(test::deviceBytesFor(2 * kLarge / kUnitBytes));
  const auto faults = std::make_shared<test::Faults>();
  const ManualClock clock;
  CounterRegistry counters;
  const auto engine = test::makeEngine(
      config, std::make_unique<test::FaultyDevice>(std::make_unique<test::FakeDevice>(image), faults), clock,
      counters);
  const SegmentKey first{{1, 1}, 0};
  const SegmentKey second{{2, 2}, 0};
  for (const SegmentKey& key : {first, second}) {
    ASSERT_EQ(engine->insert(key, test::makeSegment(key, kLarge), 0), InsertOutcome::kInserted);
  }
  int arrived = 0;
  const auto look = [&](const SegmentKey& key) {
    engine->lookup({&key, 1}, [&arrived, key](const std::vector<SegmentRef>& found) {
      arrived += test::isSegment(found[0], key);
    });
  };
  faults->hold();
  look(first);
  EXPECT_EQ(faults->held(), 2u);
  look(second);
  EXPECT_EQ(faults->held(), 3u);
  faults->release();
  EXPECT_EQ(arrived, 2);
}

}  // namespace
}  // namespace shift::node
