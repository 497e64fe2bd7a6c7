#include "tools/sim/Belady.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "blocks/Geometry.h"
#include "tests/unit/tools/sim/TraceFixture.h"
#include "tools/sim/Policies.h"

namespace shift::sim {
namespace {

/** A trace of single segments, one per block. */
Trace traceOf(const std::vector<std::uint32_t>& accesses, std::uint32_t blocks, std::uint64_t capacity) {
  Trace trace;
  trace.blockSize = kDefaultSegmentSize;
  trace.segmentSize = kDefaultSegmentSize;
  trace.flashBytes = capacity * kDefaultSegmentSize;
  trace.blocks.resize(blocks);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    trace.events.push_back({static_cast<double>(i), accesses[i], 0, 0, kDefaultSegmentSize});
  }
  return trace;
}

/** The most hits any choice of what to hold can give, by trying all. */
std::uint64_t bestOf(const std::vector<std::uint32_t>& accesses, std::uint64_t capacity) {
  const std::function<std::uint64_t(std::size_t, std::vector<std::uint32_t>)> best =
      [&](std::size_t at, std::vector<std::uint32_t> held) -> std::uint64_t {
    if (at == accesses.size()) {
      return 0;
    }
    const std::uint32_t wanted = accesses[at];
    if (std::ranges::find(held, wanted) != held.end()) {
      return 1 + best(at + 1, held);
    }
    std::uint64_t most = best(at + 1, held);  // bypass
    if (held.size() < capacity) {
      held.push_back(wanted);
      return std::max(most, best(at + 1, held));
    }
    for (std::uint32_t& victim : held) {
      const std::uint32_t saved = std::exchange(victim, wanted);
      most = std::max(most, best(at + 1, held));
      victim = saved;
    }
    return most;
  };
  return best(0, {});
}

TEST(Belady, IsTheBestThatCanBeDone) {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::uint32_t> accesses(9);
    for (std::uint32_t& access : accesses) {
      access = random() % 5;
    }
    for (const std::uint64_t capacity : {1, 2, 3}) {
      EXPECT_EQ(runBelady(traceOf(accesses, 5, capacity)).hits, bestOf(accesses, capacity));
    }
  }
}

TEST(Belady, IsNeverBeaten) {
  const Trace trace = generate(smallWorkload(), smallOptions());
  const double best = runBelady(trace).absorbedBytes();
  for (const std::string_view policy : policyNames()) {
    EXPECT_LE(runPolicy(trace, policy, {}).absorbedBytes(), best) << policy;
  }
}

TEST(Belady, TakesNothingInOfWhichMostWouldBeFetchedForNothing) {
  Trace trace = traceOf({0, 0, 1, 1}, 2, 2);
  trace.events[0].length = trace.events[1].length = 1000;  // of a segment: cheaper to read twice from disk
  const Outcome outcome = runBelady(trace);
  EXPECT_EQ(outcome.fetchedBytes, kDefaultSegmentSize);
  EXPECT_EQ(outcome.absorbedBytes(), kDefaultSegmentSize);
}

}  // namespace
}  // namespace shift::sim
