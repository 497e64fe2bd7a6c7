#include "shift-node/engine/flash/DramTier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

namespace shift::node {
namespace {

SegmentRef segmentOf(std::uint64_t mark) {
  return {std::make_shared<std::byte>(), 100, mark};
}

TEST(DramTier, KeepsTheOrderOfAPlainList) {
  struct Held {
    SegmentKey key;
    std::uint64_t mark;
    std::uint64_t use;
  };
  std::list<Held> model;  // oldest first
  DramTier tier;
  std::mt19937_64 random(11);
  for (std::uint64_t step = 1; step <= 40'000; ++step) {
    const SegmentKey key{{random() % 9, 1}, static_cast<std::uint32_t>(random() % 40)};
    const auto held =
        std::find_if(model.begin(), model.end(), [&](const Held& each) { return each.key == key; });
    switch (random() % 5) {
      case 0:
      case 1:
        tier.put(key, segmentOf(step), step);
        if (held == model.end()) {
          model.push_back({key, step, step});
        }
        break;
      case 2: {
        const SegmentRef found = tier.find(key, step);
        ASSERT_EQ(static_cast<bool>(found), held != model.end());
        if (found) {
          ASSERT_EQ(found.checksum, held->mark);
          held->use = step;
          model.splice(model.end(), model, held);
        }
        break;
      }
      case 3:
        ASSERT_EQ(static_cast<bool>(tier.take(key)), held != model.end());
        if (held != model.end()) {
          model.erase(held);
        }
        break;
      default:
        ASSERT_EQ(tier.takeOldest().checksum, model.empty() ? 0 : model.front().mark);
        if (!model.empty()) {
          model.pop_front();
        }
    }
    ASSERT_EQ(tier.count(), model.size());
    ASSERT_EQ(tier.bytes(), model.size() * 100);
    ASSERT_EQ(tier.oldestUse(), model.empty() ? ~std::uint64_t{0} : model.front().use);
  }
}

}  // namespace
}  // namespace shift::node
