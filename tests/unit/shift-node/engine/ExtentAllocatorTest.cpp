#include "shift-node/engine/ExtentAllocator.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace shift::node {
namespace {

TEST(ExtentAllocator, GivesRunsInOnePieceWhileItCan) {
  ExtentAllocator units(10'000);
  const auto first = units.allocate(64, 8);
  const auto second = units.allocate(100, 8);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(first[0], (Extent{0, 64}));
  EXPECT_EQ(second[0], (Extent{64, 100}));
  EXPECT_EQ(units.freeUnits(), 10'000u - 164);
}

TEST(ExtentAllocator, PrefersTheTightestFit) {
  ExtentAllocator units(1000);
  EXPECT_TRUE(units.claim({0, 1000}));
  units.finishClaims();
  units.free({100, 20});
  units.free({300, 10});
  units.free({500, 15});
  EXPECT_EQ(units.allocate(10, 1), (std::vector<Extent>{{300, 10}}));
  EXPECT_EQ(units.allocate(12, 1), (std::vector<Extent>{{500, 12}}));
}

TEST(ExtentAllocator, CutsARequestOnlyWhenItMust) {
  ExtentAllocator units(100);
  EXPECT_TRUE(units.claim({0, 100}));
  units.finishClaims();
  units.free({10, 5});
  units.free({20, 7});
  units.free({40, 3});
  EXPECT_EQ(units.allocate(12, 2), (std::vector<Extent>{{20, 7}, {10, 5}}));
  EXPECT_TRUE(units.allocate(4, 8).empty());
  EXPECT_EQ(units.freeUnits(), 3u) << "a request that fails takes nothing";
}

TEST(ExtentAllocator, RefusesMorePiecesThanAllowed) {
  ExtentAllocator units(100);
  EXPECT_TRUE(units.claim({0, 100}));
  units.finishClaims();
  for (std::uint32_t at = 0; at < 100; at += 10) {
    units.free({at, 1});
  }
  EXPECT_TRUE(units.allocate(5, 4).empty());
  EXPECT_EQ(units.freeUnits(), 10u);
  EXPECT_EQ(units.allocate(5, 5).size(), 5u);
}

TEST(ExtentAllocator, ClaimsOnlyWhatIsWhollyFreeAndInside) {
  ExtentAllocator units(5000);
  EXPECT_TRUE(units.claim({10, 10}));
  EXPECT_FALSE(units.claim({19, 2}));
  EXPECT_FALSE(units.claim({5, 6}));
  EXPECT_FALSE(units.claim({4990, 11}));
  EXPECT_FALSE(units.claim({4090, 10})) << "no run crosses a region's border";
  EXPECT_FALSE(units.claim({0xffffffff, 2}));
  EXPECT_FALSE(units.claim({1, 0}));
  EXPECT_TRUE(units.claim({20, 2}));
}

TEST(ExtentAllocator, NeverGivesAUnitTwiceAndLosesNone) {
  constexpr std::uint32_t kUnits = 9'001;
  ExtentAllocator units(kUnits);
  std::vector<bool> isTaken(kUnits);
  std::vector<std::vector<Extent>> held;
  std::uint32_t taken = 0;
  std::mt19937 random(3);
  for (int step = 0; step < 30'000; ++step) {
    if (random() % 2 == 0 && !held.empty()) {
      std::swap(held[random() % held.size()], held.back());
      for (const Extent& extent : held.back()) {
        for (std::uint32_t unit = extent.first; unit < extent.first + extent.count; ++unit) {
          isTaken[unit] = false;
        }
        taken -= extent.count;
        units.free(extent);
      }
      held.pop_back();
    } else {
      const std::uint32_t wanted = 1 + random() % 200;
      const auto extents = units.allocate(wanted, 1000);
      ASSERT_EQ(extents.empty(), wanted > kUnits - taken);
      for (const Extent& extent : extents) {
        for (std::uint32_t unit = extent.first; unit < extent.first + extent.count; ++unit) {
          ASSERT_LT(unit, kUnits);
          ASSERT_FALSE(isTaken[unit]);
          isTaken[unit] = true;
        }
        taken += extent.count;
      }
      if (!extents.empty()) {
        held.push_back(extents);
      }
    }
    ASSERT_EQ(units.freeUnits(), kUnits - taken);
  }
}

}  // namespace
}  // namespace shift::node
