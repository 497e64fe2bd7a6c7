#include "gms/spec/JobRules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::gms {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

wire::Job goodJob() {
  wire::Job job;
  job.__set_id("job-1");
  job.dataset.__set_store("warehouse");
  job.dataset.__set_table("clicks");
  job.dataset.__set_partitions({"clicks/ds=1", "/clicks//ds=2/"});
  return job;
}

TEST(JobRules, AcceptsAGoodJobAndNormalisesItsDirectories) {
  EXPECT_THAT(faultsOf(goodJob()), IsEmpty());
  EXPECT_THAT(normalised(goodJob()).dataset.partitions, ElementsAre("clicks/ds=1", "clicks/ds=2"));
}

TEST(JobRules, NamesEveryFaultAtOnce) {
  wire::Job job = goodJob();
  job.id = "";
  job.dataset.table = std::string("a\nb");
  job.dataset.store = std::string(300, 's');
  job.dataset.partitions = {"../etc", "a/b", "a//b", ""};
  job.dataset.features = {"ok", ""};
  job.dataset.order = 17;
  job.dataset.epochs = 0;
  const std::vector<std::string> faults = faultsOf(job);
  EXPECT_EQ(faults.size(), 9u);
  EXPECT_THAT(faults, Contains("id is missing"));
  EXPECT_THAT(faults, Contains("dataset.table contains a control character, or is not UTF-8"));
  EXPECT_THAT(faults, Contains("dataset.store is 300 bytes long; at most 256 are allowed"));
  EXPECT_THAT(faults, Contains(HasSubstr("dataset.partitions[0]: path \"../etc\"")));
  EXPECT_THAT(faults, Contains(HasSubstr("dataset.partitions[2]: \"a/b\" is listed twice")));
  EXPECT_THAT(faults, Contains(HasSubstr("dataset.partitions[3]")));
  EXPECT_THAT(faults, Contains("dataset.features[1] is missing"));
  EXPECT_THAT(faults, Contains(HasSubstr("17 is no known order")));
  EXPECT_THAT(faults, Contains(HasSubstr("dataset.epochs is 0")));
}

TEST(JobRules, RefusesAJobWithoutPartitions) {
  wire::Job job = goodJob();
  job.dataset.partitions.clear();
  EXPECT_THAT(faultsOf(job), ElementsAre(HasSubstr("dataset.partitions is empty")));
}

TEST(JobRules, ASeededOrderNeedsItsSeed) {
  wire::Job job = goodJob();
  job.dataset.__set_order(wire::ReadOrder::SEEDED);
  EXPECT_THAT(faultsOf(job), ElementsAre(HasSubstr("dataset.seed is missing")));
  job.dataset.__set_seed(7);
  EXPECT_THAT(faultsOf(job), IsEmpty());
}

TEST(JobRules, PartitionsAreGivenOrFoundButNotBoth) {
  wire::Job job = goodJob();
  job.dataset.__set_predicate("ds>=1");
  EXPECT_THAT(faultsOf(job), ElementsAre(HasSubstr("give one of them")));
  job.dataset.partitions.clear();
  EXPECT_THAT(faultsOf(job), IsEmpty());
}

TEST(JobRules, WhatAPredicateGaveIsNotWhatWasAskedFor) {
  wire::Job asked = goodJob();
  asked.dataset.__set_partitions({});
  asked.dataset.__set_predicate("ds>=1");
  wire::Job stored = asked;
  stored.dataset.__set_partitions({"clicks/ds=1"});
  EXPECT_TRUE(sameBody(stored, asked));
}

TEST(JobRules, ComparesWhatWasAskedForNotWhatTheStoreAdded) {
  wire::Job stored = normalised(goodJob());
  stored.__set_state(wire::JobState::FINISHED);
  stored.__set_createdMs(5);
  EXPECT_TRUE(sameBody(stored, normalised(goodJob())));
  stored.dataset.partitions.pop_back();
  EXPECT_FALSE(sameBody(stored, normalised(goodJob())));
}

}  // namespace
}  // namespace shift::gms
