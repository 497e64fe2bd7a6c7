#include "gms/json/JobJson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace shift::gms {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kFull = R"({
  "id": "train-7", "owner": "ann", "class": "other", "expected_bytes_per_second": 1500000000, "ttl_seconds": 600,
  "dataset": {
    "store": "warehouse", "table": "clicks", "partitions": ["clicks/ds=1", "clicks/ds=2"], "features": ["age"],
    "order": "seeded", "seed": 42, "epochs": 3, "ranges": [{"offset": 0, "length": 10}],
    "manifest": [{"path": "clicks/ds=1/a", "size": 5, "version": "v"}]
  }
})";

std::string faultsOfSpec(const std::string& text) {
  const auto job = readJobSpec(text);
  return job ? "" : job.error().message;
}

TEST(JobJson, ReadsEveryField) {
  const auto job = readJobSpec(kFull);
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->id, "train-7");
  EXPECT_EQ(job->jobClass, wire::JobClass::OTHER);
  EXPECT_EQ(job->expectedBytesPerSecond, 1'500'000'000);
  EXPECT_EQ(job->ttlMs, 600'000);
  EXPECT_THAT(job->dataset.partitions, ElementsAre("clicks/ds=1", "clicks/ds=2"));
  EXPECT_EQ(job->dataset.order, wire::ReadOrder::SEEDED);
  EXPECT_EQ(job->dataset.seed, 42);
  EXPECT_EQ(job->dataset.epochs, 3);
  EXPECT_EQ(job->dataset.ranges.at(0).length, 10);
  EXPECT_EQ(job->dataset.manifest.at(0).version, "v");
}

TEST(JobJson, WhatIsAnsweredCanBeSentBack) {
  const auto job = readJobSpec(kFull);
  ASSERT_TRUE(job);
  wire::Job answered = *job;
  answered.__set_state(wire::JobState::RUNNING);
  answered.__set_revision(7);
  answered.__set_reason("r");
  answered.progress.emplace_back().__set_directory("clicks/ds=1");
  const auto again = readJobSpec(writeJson(toJson(answered)));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, *job);
}

TEST(JobJson, NamesEveryFaultAtOnce) {
  EXPECT_THAT(
      faultsOfSpec(R"({"id": 7, "owner": ["x"], "class": "gaming", "colour": "red", "ttl_seconds": 1.5,
      "dataset": {"store": "s", "table": "t", "partitions": ["a", 5, {}], "epochs": "many", "order": null,
                  "ranges": [{"offset": -1}, 3], "manifest": {}, "size": 1}})"),
      AllOf(HasSubstr("id must be a string, not number"), HasSubstr("owner must be a string, not array"),
            HasSubstr("class must be one of \"ml-training\", \"other\""),
            HasSubstr("colour is no known field"), HasSubstr("ttl_seconds must be a whole number"),
            HasSubstr("dataset.partitions[1] must be a string"),
            HasSubstr("dataset.partitions[2] must be a string"), HasSubstr("dataset.epochs"),
            HasSubstr("dataset.ranges[0].length is missing"),
            HasSubstr("dataset.ranges[1] must be an object"), HasSubstr("dataset.manifest must be a list"),
            HasSubstr("dataset.size is no known field")));
}

TEST(JobJson, RefusesNonsenseOfAnySize) {
  EXPECT_THAT(faultsOfSpec(std::string(10'000'000, 'x')), HasSubstr("this is not JSON"));
  EXPECT_THAT(faultsOfSpec(std::string(10'000'000, '[')), HasSubstr("nested deeper"));
  EXPECT_THAT(faultsOfSpec("[1, 2]"), HasSubstr("the body must be an object, not array"));
  EXPECT_THAT(faultsOfSpec("{}"), HasSubstr("dataset is missing"));
  EXPECT_THAT(faultsOfSpec("{\"id\": \"\xff\"}"), HasSubstr("this is not JSON"));
  EXPECT_THAT(faultsOfSpec("{\"id\": \"\\u0000\", \"dataset\": {}}"),
              HasSubstr("id contains a control character"));
  EXPECT_THAT(faultsOfSpec(R"({"ttl_seconds": 9223372036854775807, "expected_bytes_per_second": 1e400})"),
              HasSubstr("this is not JSON"));
  EXPECT_THAT(faultsOfSpec(R"({"ttl_seconds": 9223372036854775807, "dataset": {"epochs": 99999999999}})"),
              AllOf(HasSubstr("ttl_seconds is out of range"), HasSubstr("dataset.epochs is 99999999999")));
}

TEST(JobJson, ASpecThatIsTooLargeForAnAnswerIsRefused) {
  std::string text = R"({"id": "j", "dataset": {"store": "s", "table": "t", "partitions": [)";
  for (int i = 0; i < 5000; ++i) {
    text += (i > 0 ? ",\"" : "\"") + std::string(1000, 'x') + std::to_string(i) + "\"";
  }
  EXPECT_THAT(faultsOfSpec(text + "]}}"), HasSubstr("the spec takes"));
}

TEST(JobJson, ReadsAPatchAndNothingElse) {
  Faults faults;
  const auto patch =
      patchFromJson(nlohmann::json::parse(R"({"state": "failed", "reason": "out of memory"})"), faults);
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(patch.state, wire::JobState::FAILED);
  EXPECT_EQ(patch.reason, "out of memory");
  patchFromJson(nlohmann::json::parse(R"({"id": "other", "state": "done"})"), faults);
  EXPECT_EQ(faults.size(), 2u);
}

}  // namespace
}  // namespace shift::gms
