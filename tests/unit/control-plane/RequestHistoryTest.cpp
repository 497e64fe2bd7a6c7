#include "control-plane/RequestHistory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "common/ByteSize.h"

namespace shift::control {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kSegment = 256 * kKiB;

class RequestHistoryTest : public ::testing::Test {
 protected:
  ReadRequest request(const std::string& directory, const std::string& job, std::uint64_t block,
                      std::uint64_t firstSegment, std::uint64_t segments) const {
    ReadRequest result;
    result.store = "s";
    result.path = directory + "/file";
    result.job = job;
    result.block = {block, block * 7919};
    result.offset = firstSegment * kSegment;
    result.length = segments * kSegment;
    return result;
  }
  void read(const ReadRequest& what) { history_.record(what, mapper_.bucketOf(what), mapper_, now_); }
  BucketHistory bucket(const std::string& directory) const {
    return history_.find(bucketIdOf("s:" + directory)).value_or(BucketHistory{});
  }

  TimePoint now_{100h};
  SegmentMapper mapper_{Parameters{}};
  RequestHistory history_{{.window = 6h, .steps = 6, .maxBuckets = 6400, .segmentSize = kSegment}};
};

TEST_F(RequestHistoryTest, CountsTotalAndUniqueInTheSameUnit) {
  read(request("d", "job-1", 1, 0, 4));
  read(request("d", "job-2", 1, 2, 4));
  EXPECT_EQ(bucket("d").totalBytes, 8.0 * kSegment);
  EXPECT_EQ(bucket("d").uniqueBytes, 6.0 * kSegment);
  EXPECT_EQ(bucket("d").requests, 2U);
}

TEST_F(RequestHistoryTest, CountsWhatOneJobTouchesTwiceOnce) {
  for (int i = 0; i < 10; ++i) {
    read(request("d", "job-1", 1, 0, 4));
  }
  EXPECT_EQ(bucket("d").totalBytes, 4.0 * kSegment);
  EXPECT_EQ(bucket("d").uniqueBytes, 4.0 * kSegment);
}

TEST_F(RequestHistoryTest, ForgetsWhatHasLeftTheWindow) {
  read(request("d", "job-1", 1, 0, 4));
  now_ += 3h;
  read(request("d", "job-2", 2, 0, 2));
  now_ += 3h + 30min;
  std::vector<BucketId> forgotten;
  std::vector<BucketHistory> changed = history_.takeChanged(now_, forgotten);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0].totalBytes, 2.0 * kSegment);
  now_ += 4h;
  changed = history_.takeChanged(now_, forgotten);
  EXPECT_TRUE(changed.empty());
  EXPECT_EQ(forgotten, std::vector<BucketId>{bucketIdOf("s:d")});
  EXPECT_EQ(history_.buckets(), 0U);
}

TEST_F(RequestHistoryTest, ReportsOnlyWhatChanged) {
  std::vector<BucketId> forgotten;
  for (int i = 0; i < 100; ++i) {
    read(request("d" + std::to_string(i), "job-1", 1, 0, 1));
  }
  EXPECT_EQ(history_.takeChanged(now_, forgotten).size(), 100U);
  EXPECT_EQ(history_.takeChanged(now_, forgotten).size(), 0U);
  read(request("d7", "job-1", 1, 0, 1));
  EXPECT_EQ(history_.takeChanged(now_, forgotten).size(), 1U);
}

TEST_F(RequestHistoryTest, KnowsTheJobsOfTheWindow) {
  read(request("d", "job-1", 1, 0, 1));
  now_ += 5h;
  read(request("d", "job-2", 1, 0, 1));
  EXPECT_TRUE(history_.isActive("job-1", now_));
  now_ += 2h;
  EXPECT_FALSE(history_.isActive("job-1", now_));
  EXPECT_EQ(history_.activeJobs(now_), std::vector<std::string>{"job-2"});
}

TEST_F(RequestHistoryTest, ForgetsTheLeastUsedBucketsFirst) {
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 100; ++i) {
      read(request("popular" + std::to_string(i), "job-1", 1, 0, 1));
    }
  }
  for (int i = 0; i < 20000; ++i) {
    read(request("once" + std::to_string(i), "job-1", 1, 0, 1));
  }
  EXPECT_LE(history_.buckets(), 6400U);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(bucket("popular" + std::to_string(i)).requests, 5U) << i;
  }
  std::vector<BucketId> forgotten;
  history_.takeChanged(now_, forgotten);
  EXPECT_EQ(forgotten.size() + history_.buckets(), 20100U);
}

TEST_F(RequestHistoryTest, KeepsABucketWithinFortyKibibytes) {
  std::mt19937_64 random(3);
  for (int hour = 0; hour < 12; ++hour) {
    for (int i = 0; i < 20000; ++i) {
      read(request("d", "job-" + std::to_string(random() % 20), random(), 0, 4));
    }
    now_ += 1h;
    ASSERT_LE(history_.memoryBytes(), 40 * kKiB);
  }
}

TEST_F(RequestHistoryTest, HandsOverWhatWasWritten) {
  history_.recordWrite(100, 20);
  history_.recordWrite(1, 2);
  const RequestHistory::Written written = history_.takeWritten();
  EXPECT_EQ(written.admittedBytes, 101U);
  EXPECT_EQ(written.reinsertedBytes, 22U);
  EXPECT_EQ(history_.takeWritten().admittedBytes, 0U);
}

TEST_F(RequestHistoryTest, TakesRecordsFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 2000; ++i) {
        read(request("d" + std::to_string(i % 10), "job-" + std::to_string(t), i / 10, 0, 1));
      }
    });
  }
  std::vector<BucketId> forgotten;
  for (int i = 0; i < 10; ++i) {
    history_.takeChanged(now_, forgotten);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(bucket("d" + std::to_string(i)).uniqueBytes, 200.0 * kSegment);
    // Four jobs touched each: 800 pairs, which are beyond the exact count.
    EXPECT_NEAR(bucket("d" + std::to_string(i)).totalBytes, 800.0 * kSegment, 800.0 * kSegment * 0.08);
  }
}

/** The window kept exactly, with the same steps. */
class ExactHistory {
 public:
  void add(std::int64_t hour, const std::string& bucket, const std::string& job, std::uint64_t segment) {
    pairs_[bucket][{job, segment}] = hour;
    segments_[bucket][segment] = hour;
  }
  double total(const std::string& bucket, std::int64_t hour) { return count(pairs_[bucket], hour); }
  double unique(const std::string& bucket, std::int64_t hour) { return count(segments_[bucket], hour); }

 private:
  template <typename Map>
  static double count(const Map& map, std::int64_t hour) {
    return static_cast<double>(
        std::ranges::count_if(map, [&](const auto& entry) { return entry.second > hour - 6; }));
  }
  std::map<std::string, std::map<std::pair<std::string, std::uint64_t>, std::int64_t>> pairs_;
  std::map<std::string, std::map<std::uint64_t, std::int64_t>> segments_;
};

TEST_F(RequestHistoryTest, AgreesWithAnExactModel) {
  ExactHistory exact;
  std::mt19937_64 random(17);
  double squares = 0;
  int samples = 0;
  for (std::int64_t hour = 0; hour < 14; ++hour) {
    const std::int64_t step = 100 + hour;
    now_ = TimePoint(std::chrono::hours(step));
    for (int i = 0; i < 6000; ++i) {
      now_ += 500ms;
      // Traffic that moves from one bucket to others, and comes in bursts.
      const std::string directory =
          "d" + std::to_string((hour / 3 + static_cast<std::int64_t>(random() % 3)) % 5);
      const std::string job = "job-" + std::to_string(random() % 6);
      const std::uint64_t block = random() % 400;
      const std::uint64_t first = random() % 60;
      read(request(directory, job, block, first, 4));
      for (std::uint64_t segment = first; segment < first + 4; ++segment) {
        exact.add(step, directory, job, block * 1000 + segment);
      }
    }
    std::vector<BucketId> forgotten;
    for (const BucketHistory& described : history_.takeChanged(now_, forgotten)) {
      const std::string directory = described.key.substr(2);
      const double unique = exact.unique(directory, step);
      const double total = exact.total(directory, step);
      ASSERT_GT(unique, 0);
      const double errorUnique = described.uniqueBytes / kSegment / unique - 1;
      const double errorTotal = described.totalBytes / kSegment / total - 1;
      EXPECT_LT(std::abs(errorUnique), 0.08) << directory << " in hour " << hour;
      EXPECT_LT(std::abs(errorTotal), 0.08) << directory << " in hour " << hour;
      squares += errorUnique * errorUnique + errorTotal * errorTotal;
      samples += 2;
    }
  }
  EXPECT_LE(std::sqrt(squares / samples), 0.025);
}

}  // namespace
}  // namespace shift::control
