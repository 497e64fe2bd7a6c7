#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include "shift-node/engine/MemoryEngine.h"

namespace shift::node {
namespace {

/** The contract said as plainly as possible: a list, searched and sorted anew every time. */
class Model {
 public:
  explicit Model(std::uint64_t capacity) : capacity_(capacity) {}

  bool touch(const SegmentKey& key) {
    for (Entry& entry : entries_) {
      if (entry.key == key) {
        entry.lastUse = ++uses_;
        return true;
      }
    }
    return false;
  }

  InsertOutcome insert(const SegmentKey& key, std::uint32_t size, double score) {
    setScore(key.block, score);
    if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; })) {
      return InsertOutcome::kPresent;
    }
    while (used() + size > capacity_) {
      const auto worst =
          std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.score, a.lastUse) < std::pair(b.score, b.lastUse);
          });
      if (score < worst->score) {
        return InsertOutcome::kRefused;
      }
      entries_.erase(worst);
    }
    entries_.push_back({key, size, score, ++uses_});
    return InsertOutcome::kInserted;
  }

  void remove(const SegmentKey& key) {
    std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
  }

  void setScore(const GroupId& group, double score) {
    for (Entry& entry : entries_) {
      if (entry.key.block == group) {
        entry.score = score;
      }
    }
  }

  std::uint64_t used() const {
    std::uint64_t bytes = 0;
    for (const Entry& entry : entries_) {
      bytes += entry.size;
    }
    return bytes;
  }

  std::size_t count() const { return entries_.size(); }

 private:
  struct Entry {
    SegmentKey key;
    std::uint32_t size;
    double score;
    std::uint64_t lastUse;
  };
  const std::uint64_t capacity_;
  std::vector<Entry> entries_;
  std::uint64_t uses_ = 0;
};

TEST(MemoryEngineProperty, BehavesAsThePlainModelOverManyRandomOperations) {
  std::mt19937_64 random(42);
  CounterRegistry counters;
  MemoryEngine engine({.capacityBytes = 1500}, counters);
  Model model(1500);
  for (int step = 0; step < 100'000; ++step) {
    const std::uint64_t block = random() % 12;
    const SegmentKey key{{block, block * 7}, static_cast<std::uint32_t>(random() % 6)};
    const double score = static_cast<double>(random() % 5);
    switch (random() % 8) {
      case 0:
        engine.remove(key);
        model.remove(key);
        break;
      case 1: {
        const GroupScore change[] = {{key.block, score}};
        engine.setScores(change);
        model.setScore(key.block, score);
        break;
      }
      case 2:
      case 3:
      case 4: {
        const auto size = static_cast<std::uint32_t>(1 + random() % 200);
        const auto memory = allocateSegment(size);
        std::memcpy(memory.get(), &key.segment, 1);
        ASSERT_EQ(engine.insert(key, {memory, size, 0}, score), model.insert(key, size, score))
            << "step " << step;
        break;
      }
      default: {
        bool found = false;
        engine.lookup({&key, 1}, [&](std::vector<SegmentRef> refs) {
          found = static_cast<bool>(refs[0]);
          ASSERT_TRUE(!found || refs[0].bytes()[0] == static_cast<std::byte>(key.segment));
        });
        ASSERT_EQ(found, model.touch(key)) << "step " << step;
      }
    }
    ASSERT_EQ(engine.status().usedBytes, model.used()) << "step " << step;
    ASSERT_EQ(engine.status().segments, model.count()) << "step " << step;
  }
}

}  // namespace
}  // namespace shift::node
