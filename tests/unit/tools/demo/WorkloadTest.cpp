#include "tools/demo/Workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "control-plane/JobSpec.h"

namespace shift::demo {
namespace {

using testing::ElementsAre;

TEST(SynchronizedJobs, AreThoseOfThePaper) {
  const std::vector<TourJob> jobs = synchronizedJobs(Shape(), 1);
  ASSERT_EQ(jobs.size(), 5u);
  for (const std::size_t sharing : {0, 2, 4}) {
    EXPECT_THAT(jobs[sharing].partitions, ElementsAre(0, 1, 2));
  }
  EXPECT_THAT(jobs[1].partitions, ElementsAre(3, 4, 5));
  EXPECT_THAT(jobs[3].partitions, ElementsAre(6, 7, 8));
}

TEST(SynchronizedJobs, StartWithinATenthOfTheTimeThatTheDisksNeed) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Shape shape;
    const std::vector<TourJob> jobs = synchronizedJobs(shape, seed);
    const auto [first, last] = std::ranges::minmax(jobs, {}, &TourJob::startsAfter);
    EXPECT_EQ(first.startsAfter, Duration(0)) << "nobody waits for nothing";
    EXPECT_GT(last.startsAfter, Duration(0));
    EXPECT_LE(last.startsAfter, shape.diskTime(bytesRead(jobs, shape)) / 10);
  }
}

TEST(SynchronizedJobs, AreTheSameForTheSameSeedAndOthersForAnother) {
  const auto seedsAndStarts = [](std::uint64_t seed) {
    std::vector<std::pair<std::uint64_t, Duration>> all;
    for (const TourJob& job : synchronizedJobs(Shape(), seed)) {
      all.emplace_back(job.shuffleSeed, job.startsAfter);
    }
    return all;
  };
  EXPECT_EQ(seedsAndStarts(7), seedsAndStarts(7));
  EXPECT_NE(seedsAndStarts(7), seedsAndStarts(8));
}

TEST(SynchronizedJobs, EachHasAnOrderOfItsOwnThatTheGmsCanKeep) {
  std::set<std::uint64_t> seeds;
  for (const TourJob& job : synchronizedJobs(Shape(), 1)) {
    seeds.insert(job.shuffleSeed);
    EXPECT_GE(static_cast<std::int64_t>(job.shuffleSeed), 0);
  }
  EXPECT_EQ(seeds.size(), 5u);
}

TEST(FilesInOrder, ArePartitionAfterPartitionInTheAnnouncedShuffle) {
  const Dataset dataset = datasetOf(scaledBy(0.1));
  const TourJob job{.name = "job", .partitions = {4, 2}, .shuffleSeed = 99};
  const std::vector<std::string> files = filesInOrder(job, dataset);
  const auto perPartition = static_cast<std::uint32_t>(dataset.partitions[4].files.size());
  ASSERT_EQ(files.size(), 2 * perPartition);
  const std::vector<std::uint32_t> order = control::shuffledFiles(99, perPartition);
  for (std::uint32_t i = 0; i < perPartition; ++i) {
    EXPECT_EQ(files[i], dataset.partitions[4].files[order[i]]);
    EXPECT_EQ(files[perPartition + i], dataset.partitions[2].files[order[i]]);
  }
}

TEST(FilesInOrder, AreListedByPathAsNodesListThem) {
  for (const Partition& partition : datasetOf(Shape()).partitions) {
    EXPECT_TRUE(std::ranges::is_sorted(partition.files));
  }
}

TEST(BytesRead, CountsAPartitionOnceForEachJobThatReadsIt) {
  const Shape shape;
  EXPECT_EQ(bytesRead(synchronizedJobs(shape, 1), shape), shape.datasetBytes() / 9 * 15);
}

}  // namespace
}  // namespace shift::demo
