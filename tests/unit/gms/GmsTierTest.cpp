#include "gms/GmsTier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::gms {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

wire::PartitionProgress progress(const std::string& directory, std::int64_t readBytes, bool isFinished) {
  wire::PartitionProgress made;
  made.__set_directory(directory);
  made.__set_readBytes(readBytes);
  made.__set_finished(isFinished);
  return made;
}

TEST(TierJobOf, ShowsProgressInTheOrderOfReading) {
  wire::Job job;
  job.id = "train-7";
  job.state = wire::JobState::RUNNING;
  job.dataset.partitions = {"c", "a", "b"};
  job.progress = {progress("a", 5, false), progress("c", 10, true)};
  const dashboard::TierJob shown = tierJobOf(job, 60);
  EXPECT_EQ(shown.state, "running");
  EXPECT_EQ(shown.partitions, 3u);
  EXPECT_EQ(shown.finishedPartitions, 1u);
  EXPECT_EQ(shown.readBytes, 15);
  EXPECT_THAT(shown.stretches, ElementsAre(1, 0.5, 0));
}

TEST(TierJobOf, ManyPartitionsShareAStretch) {
  wire::Job job;
  job.dataset.partitions = {"a", "b", "c", "d"};
  job.progress = {progress("a", 1, true), progress("b", 1, true), progress("c", 1, true)};
  EXPECT_THAT(tierJobOf(job, 2).stretches, ElementsAre(1, 0.5));
}

TEST(TierJobOf, AJobWithoutPartitionsHasNoBar) {
  EXPECT_THAT(tierJobOf(wire::Job(), 60).stretches, IsEmpty());
}

}  // namespace
}  // namespace shift::gms
