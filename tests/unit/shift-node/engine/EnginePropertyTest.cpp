// Random operations on an engine and on a plain model of the contract, side by side.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "shift-node/engine/MemoryEngine.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

/** The contract said as plainly as possible: a list, searched and sorted anew every time. */
class Model {
 public:
  Model(std::uint64_t capacity, std::uint32_t rounding) : capacity_(capacity), rounding_(rounding) {}

  bool touch(const SegmentKey& key, unsigned& version) {
    for (Entry& entry : entries_) {
      if (entry.key == key) {
        entry.lastUse = ++uses_;
        version = entry.version;
        return true;
      }
    }
    return false;
  }

  InsertOutcome insert(const SegmentKey& key, std::uint32_t size, double score, unsigned version) {
    setScore(key.block, score);
    if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; })) {
      return InsertOutcome::kPresent;
    }
    while (taken() + rounded(size) > capacity_) {
      const auto worst =
          std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.score, a.lastUse) < std::pair(b.score, b.lastUse);
          });
      if (score < worst->score) {
        return InsertOutcome::kRefused;
      }
      entries_.erase(worst);
    }
    entries_.push_back({key, size, score, ++uses_, version});
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
    unsigned version;
  };

  std::uint64_t rounded(std::uint32_t size) const { return (size + rounding_ - 1) / rounding_ * rounding_; }
  std::uint64_t taken() const {
    std::uint64_t bytes = 0;
    for (const Entry& entry : entries_) {
      bytes += rounded(entry.size);
    }
    return bytes;
  }

  const std::uint64_t capacity_;
  const std::uint32_t rounding_;
  std::vector<Entry> entries_;
  std::uint64_t uses_ = 0;
};

/** engine_long_test takes its time; engine_test runs under the sanitizers too. */
#ifdef SHIFT_LONG_TESTS
constexpr int kOperations = 1'000'000;
#else
constexpr int kOperations = 20'000;
#endif

void compare(Engine& engine, Model& model, std::uint32_t largest, const std::function<void(int)>& between) {
  std::mt19937_64 random(42);
  for (int step = 0; step < kOperations; ++step) {
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
        const auto size = static_cast<std::uint32_t>(1 + random() % largest);
        const auto version = static_cast<unsigned>(step);
        ASSERT_EQ(engine.insert(key, test::makeSegment(key, size, version), score),
                  model.insert(key, size, score, version))
            << "step " << step;
        break;
      }
      default: {
        const SegmentRef found = test::lookUp(engine, key);
        unsigned version = 0;
        ASSERT_EQ(static_cast<bool>(found), model.touch(key, version)) << "step " << step;
        ASSERT_TRUE(!found || test::isSegment(found, key, version)) << "step " << step;
      }
    }
    ASSERT_EQ(engine.status().usedBytes, model.used()) << "step " << step;
    ASSERT_EQ(engine.status().segments, model.count()) << "step " << step;
    between(step);
  }
}

TEST(EngineProperty, TheMemoryEngineBehavesAsThePlainModel) {
  CounterRegistry counters;
  MemoryEngine engine({.capacityBytes = 1500}, counters);
  Model model(1500, 1);
  compare(engine, model, 200, [](int) {});
}

/** With the journal written every few steps: it wraps around many times and is cleaned all the while. */
void compareFlash(std::uint64_t dramBytes) {
  constexpr std::uint32_t kUnits = 60;
  constexpr int kStepsPerJournal = 7;
  ManualClock clock;
  CounterRegistry counters;
  FlashEngineConfig config = test::smallConfig();
  config.dramBytes = dramBytes;
  const auto engine = test::makeEngine(
      config,
      std::make_unique<test::FakeDevice>(std::make_shared<test::DeviceImage>(test::deviceBytesFor(kUnits))),
      clock, counters);
  Model model(kUnits * kUnitBytes, kUnitBytes);
  compare(*engine, model, 5 * kUnitBytes, [&](int step) {
    if (step % kStepsPerJournal == 0) {
      ASSERT_TRUE(engine->writeJournal().ok());
    }
  });
  EXPECT_EQ(test::valueOf(counters, "engine_checksum_failures_total"), 0);
  EXPECT_EQ(test::valueOf(counters, "engine_evictions_journal_total"), 0);
}

TEST(EngineProperty, TheFlashEngineBehavesAsThePlainModelWhenAllComesFromFlash) {
  compareFlash(kUnitBytes);
}

TEST(EngineProperty, TheFlashEngineBehavesAsThePlainModelBehindMemory) {
  compareFlash(24 * kUnitBytes);
}

}  // namespace
}  // namespace shift::node
