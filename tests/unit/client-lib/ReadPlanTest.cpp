#include "client-lib/ReadPlan.h"

#include <gtest/gtest.h>

#include <random>

namespace shift::client {
namespace {

const ring::Ring kRing({{.id = "a", .address = {"a", 1}},
                        {.id = "b", .address = {"b", 1}},
                        {.id = "c", .address = {"c", 1}}});

TEST(ReadPlan, CoversTheReadOnceInOrderWithGetsOfOneBlockEach) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 10'000; ++i) {
    const FileIdentity file{
        .store = "s", .path = "p", .version = "v", .size = random() % 500, .blockSize = 1 + random() % 60};
    const std::uint64_t offset = random() % 520;
    const std::uint64_t count = random() % 520;
    const std::uint64_t maxGet = 1 + random() % 40;
    std::uint64_t at = offset;
    for (const PlannedGet& get : planRead(file, offset, count, maxGet, kRing)) {
      ASSERT_EQ(get.range.block * file.blockSize + get.range.offset, at);
      ASSERT_EQ(get.range.bufferOffset, at - offset);
      ASSERT_GT(get.range.length, 0u);
      ASSERT_LE(get.range.length, maxGet);
      ASSERT_LE(get.range.offset + get.range.length, file.blockSize);
      ASSERT_EQ(get.block, blockIdOf("s", "p", "v", file.blockSize, get.range.block));
      ASSERT_EQ(get.owner, kRing.ownerOf(get.block));
      at += get.range.length;
    }
    ASSERT_EQ(at - offset, offset >= file.size ? 0 : std::min(count, file.size - offset));
  }
}

TEST(ReadPlan, AnEmptyRingLeavesAllToTheBackingStore) {
  const FileIdentity file{.store = "s", .path = "p", .version = "v", .size = 10, .blockSize = 4};
  for (const PlannedGet& get : planRead(file, 0, 10, 100, ring::Ring())) {
    EXPECT_EQ(get.owner, nullptr);
  }
}

}  // namespace
}  // namespace shift::client
