#include "shift-node/engine/flash/SegmentIndex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace shift::node {
namespace {

SegmentEntry entryOf(std::uint32_t segment, std::uint64_t use, std::uint64_t checksum = 0) {
  SegmentEntry entry;
  entry.segment = segment;
  entry.lastUse = use;
  entry.checksum = checksum;
  return entry;
}

TEST(SegmentIndex, KeepsTheOrderOfAPlainModel) {
  struct Held {
    std::uint64_t use;
    std::uint64_t checksum;
  };
  std::map<SegmentKey, Held> model;
  std::map<BlockId, double> scores;
  SegmentIndex index;
  std::mt19937_64 random(5);
  for (std::uint64_t step = 1; step <= 40'000; ++step) {
    const SegmentKey key{{random() % 40, 3}, static_cast<std::uint32_t>(random() % 12)};
    const auto held = model.find(key);
    switch (random() % 6) {
      case 0:
      case 1:
        if (held == model.end()) {
          scores[key.block] = static_cast<double>(random() % 7);
          index.insert(key.block, entryOf(key.segment, step, step * 31), scores[key.block]);
          model[key] = {step, step * 31};
        }
        break;
      case 2:
        ASSERT_EQ(index.erase(key).has_value(), held != model.end());
        model.erase(key);
        break;
      case 3:
        scores[key.block] = static_cast<double>(random() % 7);
        index.rescore(key.block, scores[key.block]);
        break;
      default:
        if (held != model.end()) {
          index.touch(key, step);
          held->second.use = step;
        }
    }
    const SegmentEntry* const found = index.find(key);
    const auto now = model.find(key);
    ASSERT_EQ(found != nullptr, now != model.end());
    ASSERT_TRUE(found == nullptr ||
                (found->checksum == now->second.checksum && found->lastUse == now->second.use));
    ASSERT_EQ(index.segments(), model.size());
    const auto worst = std::min_element(model.begin(), model.end(), [&](const auto& a, const auto& b) {
      return std::pair(scores[a.first.block], a.second.use) < std::pair(scores[b.first.block], b.second.use);
    });
    ASSERT_EQ(index.worst().has_value(), worst != model.end());
    if (worst != model.end()) {
      ASSERT_EQ(index.worstKey(), worst->first);
      ASSERT_EQ(index.worst()->score, scores[worst->first.block]);
      ASSERT_EQ(index.worst()->lastUse, worst->second.use);
    }
  }
  EXPECT_EQ(index.keys().size(), model.size());
}

/** Bytes per segment after so many blocks of so many segments were filled in turn. */
double bytesPerSegment(std::uint64_t blocks, std::uint32_t segments) {
  SegmentIndex index;
  std::uint64_t use = 0;
  for (std::uint32_t segment = 0; segment < segments; ++segment) {
    for (std::uint64_t block = 0; block < blocks; ++block) {
      index.insert({block * 0x9e3779b97f4a7c15ULL, block}, entryOf(segment, ++use), 0);
    }
  }
  return static_cast<double>(index.memoryBytes()) / static_cast<double>(blocks * segments);
}

TEST(SegmentIndex, TakesLittleMemoryForWholeBlocks) {
  EXPECT_LT(bytesPerSegment(1000, 288), 36);
}

TEST(SegmentIndex, TakesLittleMemoryForFilesOfOneSegment) {
  for (const std::uint64_t blocks : {100'000, 115'000, 130'000, 150'000}) {
    EXPECT_LT(bytesPerSegment(blocks, 1), 64) << blocks;
  }
}

}  // namespace
}  // namespace shift::node
