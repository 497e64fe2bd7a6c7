#include "gms/hive/PartitionListing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::gms {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TableListing listed(const std::vector<std::string>& paths) {
  std::vector<store::ListedFile> files;
  for (const std::string& path : paths) {
    files.push_back({path, {5, "v"}});
  }
  return partitionsAmong(files, "db/t");
}

std::vector<std::string> directories(const TableListing& listing) {
  std::vector<std::string> names;
  for (const Partition& partition : listing.partitions) {
    names.push_back(partition.directory);
  }
  return names;
}

TEST(PartitionListing, FindsTheInnermostPartitionsInTheOrderOfTheirValues) {
  EXPECT_THAT(directories(listed({"db/t/ds=2/hour=10/a", "db/t/ds=2/hour=9/a", "db/t/ds=2/hour=9/b",
                                  "db/t/ds=1/hour=11/a"})),
              ElementsAre("db/t/ds=1/hour=11", "db/t/ds=2/hour=9", "db/t/ds=2/hour=10"));
}

TEST(PartitionListing, DirectoriesBelowAPartitionBelongToIt) {
  const TableListing listing = listed({"db/t/ds=1/bucket-0/a", "db/t/ds=1/bucket-1/a"});
  EXPECT_THAT(directories(listing), ElementsAre("db/t/ds=1"));
  EXPECT_EQ(listing.partitions[0].bytes, 10u);
}

TEST(PartitionListing, FilesOutsideAnyPartitionCountOnlyForTheTable) {
  const TableListing listing = listed({"db/t/_SUCCESS", "db/t/=x/a", "db/t/tmp/ds=1/a"});
  EXPECT_THAT(directories(listing), IsEmpty());
  EXPECT_EQ(listing.bytes, 15u);
}

TEST(PartitionListing, ReadsEscapedValuesButKeepsTheDirectoryAsItIs) {
  const TableListing listing = listed({"db/t/at=10%3A30/a", "db/t/at=100%/a"});
  ASSERT_EQ(listing.partitions.size(), 2u);
  EXPECT_THAT(matching(listing, *Predicate::parse("at='10:30'")), ElementsAre("db/t/at=10%3A30"));
}

TEST(PartitionListing, NumbersComeBeforeTextInOneOrder) {
  EXPECT_THAT(directories(listed({"db/t/k=1a/f", "db/t/k=10/f", "db/t/k=2/f"})),
              ElementsAre("db/t/k=2", "db/t/k=10", "db/t/k=1a"));
}

}  // namespace
}  // namespace shift::gms
