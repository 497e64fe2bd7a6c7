// What the engine promises about flash: how much of it is live, how much is written, what a segment costs.

#include <gtest/gtest.h>

#include <random>

#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

struct Layout {
  double liveShare = 0;           // bytes of segments / bytes of the device
  double writeAmplification = 0;  // bytes written / bytes of segments admitted
  double bytesPerWrite = 0;
};

/** Fills the device four times over with files whose sizes `sizeOf` draws, each a block of its own. */
Layout fill(const std::function<std::uint32_t(std::mt19937&)>& sizeOf) {
  constexpr std::uint64_t kDevice = 256 * kMiB;
  ManualClock clock;
  CounterRegistry counters;
  FlashEngineConfig config;
  config.dramBytes = kMiB;
  const auto engine = test::makeEngine(
      config, std::make_unique<test::FakeDevice>(std::make_shared<test::DeviceImage>(kDevice)), clock,
      counters);
  std::mt19937 random(9);
  std::uint64_t admitted = 0;
  for (std::uint64_t file = 0; admitted < 4 * kDevice; ++file) {
    const std::uint32_t size = sizeOf(random);
    const SegmentKey key{{file, file * 7919}, 0};
    // The content does not matter here, so it is made once: the checksum need not fit.
    static const SegmentRef any = test::makeSegment({}, 256 * kKiB);
    if (engine->insert(key, {any.data, size, 0}, static_cast<double>(file % 100)) ==
        InsertOutcome::kInserted) {
      admitted += size;
    }
    // Scores sink with age, as they do where the future is known: every insert finds something worse.
    const GroupScore aged[] = {{{file / 2, file / 2 * 7919}, -1}};
    engine->setScores(aged);
    if (file % 500 == 0) {
      EXPECT_TRUE(engine->writeJournal().ok());
    }
  }
  EXPECT_TRUE(engine->flush().ok());
  const auto value = [&](std::string_view name) {
    return static_cast<double>(test::valueOf(counters, name));
  };
  const double data =
      value("engine_written_admitted_bytes_total") + value("engine_written_reinserted_bytes_total");
  Layout layout;
  layout.liveShare = static_cast<double>(engine->status().usedBytes) / kDevice;
  layout.writeAmplification =
      (data + value("engine_written_metadata_bytes_total")) / value("engine_inserted_bytes_total");
  layout.bytesPerWrite = data / value("engine_device_writes_total");
  return layout;
}

TEST(FlashLayout, WholeSegments) {
  const Layout layout = fill([](std::mt19937&) { return 256 * kKiB; });
  EXPECT_GE(layout.liveShare, 0.98);
  EXPECT_LE(layout.writeAmplification, 1.005);
  EXPECT_EQ(layout.bytesPerWrite, 256 * kKiB);
}

TEST(FlashLayout, FilesOf110KB) {
  const Layout layout = fill([](std::mt19937&) { return 110'000; });
  EXPECT_GE(layout.liveShare, 0.95);
  EXPECT_LE(layout.writeAmplification, 1.03);
}

TEST(FlashLayout, FilesOfAllSizesAround110KB) {
  const Layout layout = fill([](std::mt19937& random) { return 20'000 + random() % 180'000; });
  EXPECT_GE(layout.liveShare, 0.95);
  EXPECT_LE(layout.writeAmplification, 1.03);
  EXPECT_GE(layout.bytesPerWrite, 64 * kKiB) << "few are cut into pieces";
}

}  // namespace
}  // namespace shift::node
