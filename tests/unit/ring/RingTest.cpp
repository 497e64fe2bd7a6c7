#include "ring/Ring.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace shift::ring {
namespace {

std::vector<Member> members(int count) {
  std::vector<Member> list;
  for (int i = 0; i < count; ++i) {
    list.push_back(
        {.id = "flash-" + std::to_string(i), .address = {"10.0.0.1", static_cast<std::uint16_t>(i)}});
  }
  return list;
}

std::vector<BlockId> blocks(int count) {
  std::mt19937_64 random(1);
  std::vector<BlockId> list;
  for (int i = 0; i < count; ++i) {
    list.push_back({random(), random()});
  }
  return list;
}

/** The share of blocks whose owner differs between two rings. */
double moved(const Ring& before, const Ring& after, const std::vector<BlockId>& keys) {
  int count = 0;
  for (const BlockId& block : keys) {
    count += before.ownerOf(block)->id != after.ownerOf(block)->id ? 1 : 0;
  }
  return static_cast<double>(count) / static_cast<double>(keys.size());
}

TEST(Ring, AnEmptyRingOwnsNothing) {
  EXPECT_EQ(Ring().ownerOf({1, 2}), nullptr);
  EXPECT_EQ(Ring({{.id = "a", .address = {}, .weight = 0}}).ownerOf({1, 2}), nullptr);
}

TEST(Ring, LoadIsWithinFivePercentOfFairShareUpToTenNodes) {
  const std::vector<BlockId> keys = blocks(1'000'000);
  for (const int count : {2, 3, 6, 10}) {
    const Ring ring(members(count));
    std::map<std::string, int> load;
    for (const BlockId& block : keys) {
      ++load[ring.ownerOf(block)->id];
    }
    const double fair = static_cast<double>(keys.size()) / count;
    for (const auto& [id, owned] : load) {
      EXPECT_NEAR(owned / fair, 1.0, 0.05) << id << " of " << count;
    }
  }
}

TEST(Ring, WeightsAreShares) {
  std::vector<Member> list = members(3);
  list[1].weight = 2;
  const Ring ring(list);
  std::map<std::string, double> load;
  const std::vector<BlockId> keys = blocks(200'000);
  for (const BlockId& block : keys) {
    load[ring.ownerOf(block)->id] += 1.0 / static_cast<double>(keys.size());
  }
  EXPECT_NEAR(load["flash-0"], 0.25, 0.02);
  EXPECT_NEAR(load["flash-1"], 0.50, 0.02);
}

TEST(Ring, AJoiningNodeTakesItsShareAndNothingElseMoves) {
  const std::vector<BlockId> keys = blocks(200'000);
  for (int count = 1; count < 10; ++count) {
    const Ring before(members(count));
    const Ring after(members(count + 1));
    EXPECT_LE(moved(before, after, keys), 1.0 / (count + 1) + 0.05);
    for (const BlockId& block : keys) {
      const std::string& owner = after.ownerOf(block)->id;
      ASSERT_TRUE(owner == before.ownerOf(block)->id || owner == "flash-" + std::to_string(count));
    }
  }
}

TEST(Ring, OrderAndAddressesDoNotMatter) {
  std::vector<Member> shuffled = members(5);
  std::reverse(shuffled.begin(), shuffled.end());
  for (Member& member : shuffled) {
    member.address = {"elsewhere", 1};
  }
  EXPECT_EQ(moved(Ring(members(5)), Ring(shuffled), blocks(10'000)), 0.0);
}

// Where a block lives must not change with a release: a new place is an empty cache.
TEST(Ring, NeverChangesBetweenReleases) {
  const Ring ring(members(5));
  std::string owners;
  for (std::uint64_t i = 0; i < 16; ++i) {
    owners += ring.ownerOf({i << 60 | 0x123456789abcdefULL, 0})->id.back();
  }
  EXPECT_EQ(owners, "2340122223120321");
}

}  // namespace
}  // namespace shift::ring
