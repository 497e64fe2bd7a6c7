#include "tools/load/AccessPattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace shift::load {
namespace {

/** Files of sizes that nothing divides. */
const std::vector<DataFile> kFiles{{"a", 10'000}, {"b", 1}, {"c", 4096}, {"d", 77'777}};
constexpr std::uint64_t kBytes = 10'000 + 1 + 4096 + 77'777;

PatternConfig configOf(PatternKind kind, std::string_view sizes) {
  PatternConfig config{.kind = kind, .readSizes = *ReadSizes::parse(sizes)};
  config.rowGroupBytes = 16'000;  // that its ten columns divide evenly
  config.columns = 10;
  return config;
}

std::vector<ReadRange> take(AccessPattern& pattern, std::size_t most) {
  std::vector<ReadRange> ranges;
  while (ranges.size() < most) {
    const std::optional<ReadRange> range = pattern.next();
    if (!range) {
      break;
    }
    ranges.push_back(*range);
  }
  return ranges;
}

std::vector<ReadRange> readsOf(const PatternConfig& config, const ReaderPlace& place,
                               std::size_t most = 100'000) {
  return take(*makePattern(config, kFiles, place), most);
}

/** How often each byte of each file is read. */
std::map<std::pair<std::size_t, std::uint64_t>, int> coverage(const std::vector<ReadRange>& ranges) {
  std::map<std::pair<std::size_t, std::uint64_t>, int> times;
  for (const ReadRange& range : ranges) {
    EXPECT_GT(range.length, 0u);
    EXPECT_LE(range.offset + range.length, kFiles.at(range.file).size);
    for (std::uint64_t i = 0; i < range.length; ++i) {
      ++times[{range.file, range.offset + i}];
    }
  }
  return times;
}

bool isInOrder(const std::vector<ReadRange>& ranges) {
  return std::is_sorted(ranges.begin(), ranges.end(), [](const ReadRange& a, const ReadRange& b) {
    return std::pair(a.file, a.offset) < std::pair(b.file, b.offset);
  });
}

TEST(Pieces, CoverEveryFileWithoutCrossing) {
  const Pieces pieces(kFiles, 4096);
  EXPECT_EQ(pieces.count(), 3u + 1 + 1 + 19);
  EXPECT_EQ(pieces.at(2), (ReadRange{0, 8192, 1808}));
  EXPECT_EQ(pieces.at(3), (ReadRange{1, 0, 1}));
  EXPECT_EQ(pieces.at(4), (ReadRange{2, 0, 4096}));
  EXPECT_EQ(pieces.at(23), (ReadRange{3, 18 * 4096, 77'777 - 18 * 4096}));
}

TEST(AccessPattern, ASequentialScanReadsEveryByteOnceAndInOrder) {
  PatternConfig config = configOf(PatternKind::kSequential, "1000");
  config.passes = 1;
  const std::vector<ReadRange> ranges = readsOf(config, {});
  EXPECT_TRUE(isInOrder(ranges));
  const auto times = coverage(ranges);
  EXPECT_EQ(times.size(), kBytes);
  EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& byte) { return byte.second == 1; }));
}

TEST(AccessPattern, TheReadersOfAJobShareItsScan) {
  PatternConfig config = configOf(PatternKind::kSequential, "500:1,3000:1");
  config.passes = 2;
  std::vector<ReadRange> all;
  for (std::uint32_t reader = 0; reader < 5; ++reader) {
    const std::vector<ReadRange> part = readsOf(config, {.reader = reader, .readers = 5});
    EXPECT_FALSE(part.empty());
    all.insert(all.end(), part.begin(), part.end());
  }
  const auto times = coverage(all);
  EXPECT_EQ(times.size(), kBytes);
  EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& byte) { return byte.second == 2; }));
}

TEST(AccessPattern, AReaderWithoutAPartHasNothingToRead) {
  const std::vector<DataFile> tiny{{"a", 10}};
  const auto pattern =
      makePattern(configOf(PatternKind::kSequential, "1000"), tiny, {.reader = 0, .readers = 4});
  EXPECT_EQ(pattern->next(), std::nullopt);
}

TEST(AccessPattern, WithoutAnEndAScanBeginsAgain) {
  const std::vector<ReadRange> ranges = readsOf(configOf(PatternKind::kSequential, "1000"), {}, 1000);
  EXPECT_EQ(ranges.size(), 1000u);
  EXPECT_GT(std::count(ranges.begin(), ranges.end(), ranges.front()), 5);
}

TEST(AccessPattern, AColumnScanReadsTheJobsColumnsOfEveryRowGroup) {
  PatternConfig config = configOf(PatternKind::kColumns, "1000");
  config.passes = 1;
  config.selected = 0.3;
  const std::vector<ReadRange> ranges = readsOf(config, {.job = 2});
  EXPECT_TRUE(isInOrder(ranges));
  const auto times = coverage(ranges);
  // Of a full row group: exactly the same columns as of every other one.
  std::map<std::uint64_t, std::set<std::uint64_t>> columnsByGroup;
  for (const auto& [byte, count] : times) {
    EXPECT_EQ(count, 1);
    if (byte.first == 3 && byte.second < 64'000) {
      columnsByGroup[byte.second / 16'000].insert(byte.second % 16'000 * 10 / 16'000);
    }
  }
  ASSERT_EQ(columnsByGroup.size(), 4u);
  for (const auto& [group, columns] : columnsByGroup) {
    EXPECT_EQ(columns.size(), 3u);
    EXPECT_EQ(columns, columnsByGroup[0]);
  }
  EXPECT_NEAR(static_cast<double>(times.size()), 0.3 * kBytes, 20);
}

TEST(AccessPattern, JobsSelectDifferentColumns) {
  PatternConfig config = configOf(PatternKind::kColumns, "1000");
  config.passes = 1;
  std::set<std::vector<std::uint64_t>> selections;
  for (std::uint32_t job = 0; job < 8; ++job) {
    std::vector<std::uint64_t> offsets;
    for (const ReadRange& range : readsOf(config, {.job = job})) {
      offsets.push_back(range.offset);
    }
    selections.insert(offsets);
  }
  EXPECT_GT(selections.size(), 5u);
}

TEST(AccessPattern, ASelectionOfNothingIsOneColumnAndOfAllIsEveryByte) {
  PatternConfig config = configOf(PatternKind::kColumns, "1000");
  config.passes = 1;
  config.selected = 0;
  EXPECT_NEAR(static_cast<double>(coverage(readsOf(config, {})).size()), 0.1 * kBytes, 20);
  config.selected = 1;
  EXPECT_EQ(coverage(readsOf(config, {})).size(), kBytes);
}

TEST(AccessPattern, RandomReadsReachEveryPlaceAboutEquallyOften) {
  const std::vector<ReadRange> ranges = readsOf(configOf(PatternKind::kRandom, "4096"), {}, 24'000);
  std::map<std::pair<std::size_t, std::uint64_t>, int> times;
  for (const ReadRange& range : ranges) {
    EXPECT_EQ(range.offset % 4096, 0u);
    ++times[{range.file, range.offset}];
  }
  EXPECT_EQ(times.size(), 24u);
  for (const auto& [place, count] : times) {
    EXPECT_NEAR(count, 1000, 150);
  }
}

TEST(AccessPattern, ZipfHasItsFavouritesTheSameForAllJobs) {
  const PatternConfig config = configOf(PatternKind::kZipf, "4096");
  const auto favouriteOf = [&](std::uint32_t job) {
    std::map<std::pair<std::size_t, std::uint64_t>, int> times;
    for (const ReadRange& range : readsOf(config, {.job = job}, 10'000)) {
      ++times[{range.file, range.offset}];
    }
    const auto most = std::max_element(times.begin(), times.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_GT(most->second, 1500) << "of 24 places the first has more than a fifth";
    return most->first;
  };
  EXPECT_EQ(favouriteOf(0), favouriteOf(1));
}

TEST(AccessPattern, ReadsFollowFromTheSeed) {
  for (const PatternKind kind :
       {PatternKind::kSequential, PatternKind::kColumns, PatternKind::kRandom, PatternKind::kZipf}) {
    PatternConfig config = configOf(kind, "100:1,2000:1,4000:1");
    const std::vector<ReadRange> once = readsOf(config, {}, 500);
    EXPECT_EQ(once, readsOf(config, {}, 500));
    EXPECT_TRUE(once.size() == 500 && !coverage(once).empty());
    config.seed = 2;
    EXPECT_NE(once, readsOf(config, {}, 500));
  }
}

}  // namespace
}  // namespace shift::load
