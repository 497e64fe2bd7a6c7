#include "shift-node/control/ControlLoop.h"

#include <gtest/gtest.h>

#include "shift-node/NodeConfig.h"
#include "shift-node/engine/MemoryEngine.h"
#include "tests/support/MemoryStore.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

constexpr std::uint32_t kSegment = 64 * kKiB;

TEST(ControlLoop, AnotherPolicyPutsWhatIsHeldOnItsOwnScale) {
  ManualClock clock;
  clock.advance(std::chrono::hours(1));
  CounterRegistry counters;
  MemoryEngine engine({.capacityBytes = 2 * kSegment}, counters);
  const test::MemoryStore store("s");
  control::Parameters parameters;
  parameters.policy = "hybrid";
  control::ControlPlane plane(parameters,
                              {.blockSize = kDefaultBlockSize, .segmentSize = kSegment, .owns = {}});
  ControlLoop loop({.plane = plane,
                    .engine = engine,
                    .store = store,
                    .gms = nullptr,
                    .adoptParameters = {},
                    .clock = clock});
  for (std::uint64_t block : {1, 2}) {
    const SegmentKey key{{block, block}, 0};
    engine.insert(key, test::makeSegment(key, kSegment), 0);
  }
  EXPECT_EQ(engine.evictionFloor(), 0);
  parameters.policy = "planned";
  ASSERT_TRUE(plane.setParameters(parameters, clock.now()));
  loop.parametersChanged();
  // No job is known to come for them: they are to be used at the window's end, not at the end of time.
  EXPECT_LT(engine.evictionFloor(), -3600.0);
  EXPECT_GT(engine.evictionFloor(), -100'000.0);
}

}  // namespace
}  // namespace shift::node
