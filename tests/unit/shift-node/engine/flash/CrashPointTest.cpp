// Every way in which a crash or a lying device can leave the flash, tried one by one.
//
// A story is played on a recording device. Then, for every write, flash is put together as it would be had
// the power gone at that point, an engine recovers from it, and all it serves is compared with the story.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>

#include "shift-node/engine/flash/JournalFormat.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::node {
namespace {

constexpr std::uint32_t kUnits = 24;
constexpr std::uint32_t kKeys = 10;

/** engine_long_test takes its time; engine_test runs under the sanitizers too. */
#ifdef SHIFT_LONG_TESTS
constexpr int kSteps = 250;
#else
constexpr int kSteps = 40;
#endif

using Versions = std::map<SegmentKey, unsigned>;
using Bytes = std::vector<std::byte>;

SegmentKey keyOf(std::uint32_t number) {
  return {{number / 2, 77}, number % 2};
}

std::uint32_t sizeOf(const SegmentKey& key, unsigned version) {
  return 1 + (key.segment * 977 + static_cast<std::uint32_t>(key.block.high) * 3041 + version * 523) %
                 (5 * kUnitBytes);
}

/** What was true when so many device events had happened. */
struct Moment {
  std::size_t events = 0;
  Versions live;
  bool isDurable = false;  // an index written up to here was synced
};

struct Story {
  Bytes start;  // the device before the first event
  std::vector<test::DeviceEvent> events;
  std::vector<Moment> moments;
};

std::uint64_t noChecksum(const SegmentKey&, std::uint32_t, std::span<const std::byte>) {
  return 4711;
}

/** Inserts, removals, evictions and rewritten keys, with the index written now and then. What is recorded
 * begins after `before` such steps: enough of them, and the journal goes round and is being cleaned. */
Story play(SegmentChecksum checksum, unsigned seed, int steps, int before = 0) {
  ManualClock clock;
  CounterRegistry counters;
  auto image = std::make_shared<test::DeviceImage>(test::deviceBytesFor(kUnits));
  auto engine = test::makeEngine(test::smallConfig(), std::make_unique<test::FakeDevice>(image), clock,
                                 counters, {}, checksum);
  Story story;
  std::mt19937 random(seed);
  Versions inserted;
  const auto note = [&](bool isDurable) {
    Moment moment{image->events.size(), {}, isDurable};
    for (const auto& [key, version] : inserted) {
      if (test::isHeld(*engine, key)) {
        moment.live[key] = version;
      }
    }
    story.moments.push_back(std::move(moment));
  };
  for (int step = -before; step < steps; ++step) {
    if (step == 0) {
      EXPECT_TRUE(engine->writeJournal().ok());
      story.start = image->bytes;
      image->isRecording = true;
      story.moments.clear();
      note(true);
    }
    const SegmentKey key = keyOf(random() % kKeys);
    const auto version = static_cast<unsigned>(before + step);
    switch (random() % 5) {
      case 0:
        engine->remove(key);
        note(false);
        break;
      case 1:
        EXPECT_TRUE(engine->writeJournal().ok());
        note(true);
        break;
      default: {
        engine->remove(key);
        note(false);
        SegmentRef segment = test::makeSegment(key, sizeOf(key, version), version);
        segment.checksum = checksum(key, 0, segment.bytes());
        if (engine->insert(key, segment, 0) == InsertOutcome::kInserted) {
          inserted[key] = version;
        }
        note(false);
      }
    }
  }
  image->isRecording = false;
  story.events = image->events;
  return story;
}

/** What an engine serves after recovering from these bytes. Wrong bytes are a version that never was. */
constexpr unsigned kWrongBytes = ~0u;

Versions serve(FlashEngine& engine, const Story& story) {
  Versions served;
  for (std::uint32_t number = 0; number < kKeys; ++number) {
    const SegmentKey key = keyOf(number);
    const SegmentRef found = test::lookUp(engine, key);
    if (!found) {
      continue;
    }
    served[key] = kWrongBytes;
    for (const Moment& moment : story.moments) {
      const auto live = moment.live.find(key);
      if (live != moment.live.end() && found.size == sizeOf(key, live->second) &&
          test::isSegment(found, key, live->second)) {
        served[key] = live->second;
        break;
      }
    }
  }
  return served;
}

bool isPartOf(const Versions& part, const Versions& whole) {
  return std::all_of(part.begin(), part.end(), [&](const auto& item) {
    const auto found = whole.find(item.first);
    return found != whole.end() && found->second == item.second;
  });
}

/** Looks at one state of the flash; says what is wrong with what was served, if anything. */
class Examiner {
 public:
  Examiner(const Story& story, SegmentChecksum checksum) : story_(story), checksum_(checksum) {}

  /** `events`: how many had begun when the power went. `isHonest`: what was synced was kept. */
  std::optional<std::string> examine(const Bytes& flash, std::size_t events, bool isHonest) {
    auto image = std::make_shared<test::DeviceImage>(0);
    image->bytes = flash;
    Versions served;
    {
      CounterRegistry counters;
      served = serve(*open(image, counters), story_);
    }
    // The same again: recovery and the stop after it must leave something that is as good.
    CounterRegistry counters;
    const auto engine = open(image, counters);
    const Versions again = serve(*engine, story_);
    if (again != served) {
      return "another state after the second recovery";
    }
    return judge(served, events, isHonest);
  }

 private:
  std::unique_ptr<FlashEngine> open(const std::shared_ptr<test::DeviceImage>& image,
                                    CounterRegistry& counters) {
    return test::makeEngine(test::smallConfig(), std::make_unique<test::FakeDevice>(image), clock_, counters,
                            {}, checksum_);
  }

  std::optional<std::string> judge(const Versions& served, std::size_t events, bool isHonest) const {
    std::size_t last = 0;     // the last moment that had begun
    std::size_t durable = 0;  // the last durable one before it
    for (std::size_t i = 0; i < story_.moments.size() && story_.moments[i].events <= events; ++i) {
      last = i;
      durable = story_.moments[i].isDurable ? i : durable;
    }
    last = std::min(last + 1, story_.moments.size() - 1);  // the one under way
    for (const auto& [key, version] : served) {
      if (version == kWrongBytes) {
        return "wrong bytes for key " + std::to_string(key.block.high) + "/" + std::to_string(key.segment);
      }
    }
    const std::size_t first = isHonest ? durable : 0;
    const bool isOneMoment = std::any_of(story_.moments.begin() + static_cast<std::ptrdiff_t>(first),
                                         story_.moments.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                         [&](const Moment& moment) { return isPartOf(served, moment.live); });
    if (!isOneMoment) {
      return "a mixture of moments, or one that is over";
    }
    if (!isHonest) {
      return std::nullopt;
    }
    for (const auto& [key, version] : story_.moments[durable].live) {
      const bool stayed = std::all_of(story_.moments.begin() + static_cast<std::ptrdiff_t>(durable),
                                      story_.moments.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                      [&](const Moment& moment) {
                                        const auto live = moment.live.find(key);
                                        return live != moment.live.end() && live->second == version;
                                      });
      if (stayed && !served.contains(key)) {
        return "lost what was durable";
      }
    }
    return std::nullopt;
  }

  const Story& story_;
  const SegmentChecksum checksum_;
  ManualClock clock_;
};

void store(Bytes& flash, const test::DeviceEvent& event) {
  std::copy(event.bytes.begin(), event.bytes.end(),
            flash.begin() + static_cast<std::ptrdiff_t>(event.offset));
}

/** Changes flash before it is looked at; for deliberately broken recoveries. */
using Spoiler = std::function<void(Bytes&)>;

/** Counts what is wrong over all crash points; the first fault is told. */
struct Verdict {
  int examined = 0;
  int faults = 0;
  std::string first;

  void add(const std::optional<std::string>& fault, const std::string& where) {
    ++examined;
    if (fault) {
      ++faults;
      first = first.empty() ? where + ": " + *fault : first;
    }
  }
};

/** An honest device: at each point the power goes, with the last write whole, torn, or not begun. */
Verdict cutEverywhere(const Story& story, SegmentChecksum checksum, const Spoiler& spoil = {}) {
  Examiner examiner(story, checksum);
  Verdict verdict;
  Bytes flash = story.start;
  const auto look = [&](Bytes state, std::size_t events, const std::string& how) {
    if (spoil) {
      spoil(state);
    }
    verdict.add(examiner.examine(state, events, true), how + " at " + std::to_string(events));
  };
  look(flash, 0, "cut");
  for (std::size_t i = 0; i < story.events.size(); ++i) {
    const test::DeviceEvent& event = story.events[i];
    for (const std::size_t kept : {std::size_t{512}, event.bytes.size() / 2 / 512 * 512}) {
      if (kept < event.bytes.size()) {
        test::DeviceEvent torn = event;
        torn.bytes.resize(kept);
        Bytes state = flash;
        store(state, torn);
        look(std::move(state), i, "torn");
      }
    }
    store(flash, event);
    look(flash, i + 1, "cut");
  }
  return verdict;
}

/** Between two syncs a device may keep any of the writes: tried at random, many times. */
Verdict reorderEverywhere(const Story& story, SegmentChecksum checksum) {
  Examiner examiner(story, checksum);
  Verdict verdict;
  std::mt19937 random(7);
  Bytes synced = story.start;
  std::vector<std::size_t> unsynced;
  for (std::size_t i = 0; i < story.events.size(); ++i) {
    if (story.events[i].isSync()) {
      for (const std::size_t write : unsynced) {
        store(synced, story.events[write]);
      }
      unsynced.clear();
      continue;
    }
    unsynced.push_back(i);
    for (int attempt = 0; attempt < 3; ++attempt) {
      Bytes state = synced;
      for (const std::size_t write : unsynced) {
        if (random() % 2 == 0) {
          store(state, story.events[write]);
        }
      }
      verdict.add(examiner.examine(state, i + 1, true), "reordered at " + std::to_string(i));
    }
  }
  return verdict;
}

/** A device that lies: each write in turn is lost, damaged, or goes to another's place. */
Verdict lieEverywhere(const Story& story, SegmentChecksum checksum) {
  Examiner examiner(story, checksum);
  Verdict verdict;
  std::mt19937 random(11);
  const std::size_t all = story.events.size();
  for (std::size_t lied = 0; lied < all; ++lied) {
    if (story.events[lied].isSync()) {
      continue;
    }
    Bytes lost = story.start;
    Bytes flipped = story.start;
    Bytes misdirected = story.start;
    const std::size_t end = std::min(all, lied + 1 + random() % 40);
    for (std::size_t i = 0; i < end; ++i) {
      if (story.events[i].isSync()) {
        continue;
      }
      if (i != lied) {
        store(lost, story.events[i]);
        store(flipped, story.events[i]);
        store(misdirected, story.events[i]);
        continue;
      }
      test::DeviceEvent damaged = story.events[i];
      damaged.bytes[random() % damaged.bytes.size()] ^= std::byte{1};
      store(flipped, damaged);
      test::DeviceEvent astray = story.events[i];
      const std::uint64_t places = (story.start.size() - astray.bytes.size()) / kUnitBytes;
      astray.offset = random() % (places + 1) * kUnitBytes;
      store(misdirected, astray);
    }
    verdict.add(examiner.examine(lost, end, false), "lost " + std::to_string(lied));
    verdict.add(examiner.examine(flipped, end, false), "flipped " + std::to_string(lied));
    verdict.add(examiner.examine(misdirected, end, false), "misdirected " + std::to_string(lied));
  }
  return verdict;
}

/** A seed, and how many steps go before. */
class CrashPoint : public testing::TestWithParam<std::pair<unsigned, int>> {
 protected:
  Story story_ = play(&checksumOf, GetParam().first, kSteps, GetParam().second);
};

TEST_P(CrashPoint, ACutOrTornWriteLosesNothingDurableAndServesNothingWrong) {
  const Verdict verdict = cutEverywhere(story_, &checksumOf);
  EXPECT_GT(verdict.examined, kSteps);
  EXPECT_EQ(verdict.faults, 0) << verdict.first;
}

TEST_P(CrashPoint, WritesReorderedBetweenSyncsLoseNothingDurable) {
  const Verdict verdict = reorderEverywhere(story_, &checksumOf);
  EXPECT_EQ(verdict.faults, 0) << verdict.first;
}

TEST_P(CrashPoint, LostDamagedAndMisdirectedWritesNeverServeAnythingWrong) {
  const Verdict verdict = lieEverywhere(story_, &checksumOf);
  EXPECT_EQ(verdict.faults, 0) << verdict.first;
}

std::vector<std::pair<unsigned, int>> stories() {
#ifdef SHIFT_LONG_TESTS
  return {{1, 0}, {2, 350}, {3, 450}, {4, 1500}};
#else
  return {{1, 0}, {3, 450}};
#endif
}

INSTANTIATE_TEST_SUITE_P(Stories, CrashPoint, testing::ValuesIn(stories()));

// The suite itself is on trial: a recovery that is broken on purpose must be found out.

TEST(CrashPointTrial, ARecoveryWithoutChecksumsIsFoundOut) {
  const Verdict verdict = cutEverywhere(play(&noChecksum, 1, kSteps, 100), &noChecksum);
  EXPECT_GT(verdict.faults, 0);
}

/** Gives the last two pages of the journal each other's records, as a replay in the wrong order would. */
void swapNewestPages(Bytes& flash) {
  const std::span<std::byte> all(flash);
  const auto superblock = decodeSuperblock(all.first(kUnitBytes));
  std::map<std::uint64_t, std::pair<std::size_t, JournalPage>> pages;
  const Bytes before = flash;
  for (std::uint32_t i = 0; i < superblock->journalPages; ++i) {
    const std::size_t at = (2 + std::size_t{i}) * kUnitBytes;
    const auto page =
        decodeJournalPage(std::span<const std::byte>(before).subspan(at, kUnitBytes), superblock->formatId);
    if (page) {
      pages[page->sequence] = {at, *page};
    }
  }
  if (pages.size() < 2) {
    return;
  }
  auto& [lastAt, last] = pages.rbegin()->second;
  auto& [previousAt, previous] = std::next(pages.rbegin())->second;
  std::swap(last.records, previous.records);
  encode(last, superblock->formatId, all.subspan(lastAt, kUnitBytes));
  encode(previous, superblock->formatId, all.subspan(previousAt, kUnitBytes));
}

TEST(CrashPointTrial, ARecoveryInTheWrongOrderIsFoundOut) {
  const Verdict verdict = cutEverywhere(play(&checksumOf, 1, kSteps, 100), &checksumOf, swapNewestPages);
  EXPECT_GT(verdict.faults, 0);
}

}  // namespace
}  // namespace shift::node
