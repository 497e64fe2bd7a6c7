#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "common/ByteSize.h"
#include "tests/support/engine/EngineTestKit.h"
#include "tests/support/engine/FaultyDevice.h"

namespace shift::test {

/** An engine for four segments on a device that fails on demand, without memory worth the name. */
class FlashEngineFixture : public testing::Test {
 public:
  static constexpr std::uint32_t kSegment = 64 * kKiB;
  static constexpr std::uint32_t kUnits = 4 * kSegment / node::kUnitBytes;

 protected:
  static SegmentKey key(std::uint64_t block, std::uint32_t segment = 0) { return {{block, block}, segment}; }

  void start() {
    auto fake = std::make_unique<FakeDevice>(image_);
    engine_ = makeEngine(config_, std::make_unique<FaultyDevice>(std::move(fake), faults_), clock_, counters_,
                         hook_);
  }
  void restart() {
    engine_.reset();
    start();
  }

  node::InsertOutcome insert(std::uint64_t block, std::uint32_t segment = 0, double score = 0) {
    const SegmentKey name = key(block, segment);
    return engine_->insert(name, makeSegment(name, kSegment), score);
  }
  bool get(std::uint64_t block, std::uint32_t segment = 0) {
    const node::SegmentRef found = lookUp(*engine_, key(block, segment));
    EXPECT_TRUE(!found || isSegment(found, key(block, segment)));
    return static_cast<bool>(found);
  }
  bool has(std::uint64_t block, std::uint32_t segment = 0) { return isHeld(*engine_, key(block, segment)); }
  std::int64_t count(std::string_view name) { return valueOf(counters_, name); }

  void damageData() { spoilData(*image_, kUnits); }

  ManualClock clock_;
  CounterRegistry counters_;
  node::FlashEngineConfig config_ = smallConfig();
  node::EvictionHook hook_;
  std::shared_ptr<Faults> faults_ = std::make_shared<Faults>();
  std::shared_ptr<DeviceImage> image_ = std::make_shared<DeviceImage>(deviceBytesFor(kUnits));
  std::unique_ptr<node::FlashEngine> engine_;
};

}  // namespace shift::test
