#include "tools/sim/Trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/tools/sim/TraceFixture.h"

namespace shift::sim {
namespace {

TEST(Trace, IsTheSameForTheSameSeed) {
  const Trace first = generate(smallWorkload(), smallOptions());
  const Trace second = generate(smallWorkload(), smallOptions());
  ASSERT_EQ(first.events.size(), second.events.size());
  for (std::size_t i = 0; i < first.events.size(); ++i) {
    ASSERT_EQ(first.events[i].time, second.events[i].time);
    ASSERT_EQ(first.events[i].block, second.events[i].block);
  }
  TraceOptions other = smallOptions();
  other.seed = 8;
  EXPECT_NE(generate(smallWorkload(), other).events[100].time, first.events[100].time);
}

TEST(Trace, HasEachJobReadEachOwnedBlockOfItsPartitionsOnce) {
  const Trace trace = generate(smallWorkload(), smallOptions());
  std::map<std::uint32_t, std::multiset<std::uint32_t>> blocksOf;
  for (const TraceEvent& event : trace.events) {
    blocksOf[event.job].insert(event.block);
  }
  EXPECT_EQ(blocksOf[0].size(), trace.blocks.size());  // job 1 reads all three partitions
  for (const auto& [job, blocks] : blocksOf) {
    EXPECT_TRUE(std::ranges::adjacent_find(blocks) == blocks.end()) << "job " << job;
  }
}

TEST(Trace, HoldsOnlyWhatTheNodeOwns) {
  const Trace trace = generate(smallWorkload(), smallOptions());
  for (const control::ReadRequest& block : trace.blocks) {
    ASSERT_TRUE(ownedByFirst(block.block, 2));
  }
  std::uint64_t listed = 0;
  for (const TracePartition& partition : trace.partitions) {
    for (const control::ListedFile& file : partition.files) {
      listed += file.size / trace.blockSize;
    }
  }
  const double share = static_cast<double>(trace.blocks.size()) / static_cast<double>(listed);
  EXPECT_NEAR(share, 0.5, 0.05);
}

TEST(Trace, IsInOrderOfTime) {
  const Trace trace = generate(smallWorkload(), smallOptions());
  EXPECT_TRUE(std::ranges::is_sorted(trace.events, {}, &TraceEvent::time));
}

TEST(Trace, TakesAsLongAtEveryScale) {
  TraceOptions larger = smallOptions();
  larger.scale = 1.0 / 32;
  const Trace small = generate(smallWorkload(), smallOptions());
  const Trace large = generate(smallWorkload(), larger);
  // Scale shrinks bytes and rates, never time, and not the number of blocks.
  EXPECT_NEAR(large.seconds, small.seconds, 0.05 * small.seconds);
  EXPECT_EQ(large.blockSize, 2 * small.blockSize);
}

TEST(Trace, KillsAJobWhereItIsTold) {
  Workload workload = smallWorkload();
  workload.jobs[0].stopsAfter = 0.5;
  const Trace whole = generate(smallWorkload(), smallOptions());
  const Trace killed = generate(workload, smallOptions());
  const auto count = [](const Trace& trace) {
    return std::count_if(trace.events.begin(), trace.events.end(),
                         [](const TraceEvent& event) { return event.job == 0; });
  };
  EXPECT_NEAR(static_cast<double>(count(killed)), 0.5 * static_cast<double>(count(whole)),
              0.05 * static_cast<double>(count(whole)));
}

}  // namespace
}  // namespace shift::sim
