#include "tools/load/LoadReport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace shift::load {
namespace {

using testing::AllOf;
using testing::HasSubstr;

LoadReport reportOfOneJob() {
  LoadReport report{.pattern = "zipf", .jobNames = {"bench-0"}, .readers = 2, .verified = true};
  report.result.jobs.resize(1);
  report.result.jobs[0].reads = 4;
  report.result.jobs[0].bytes = 4'000'000'000;
  for (const std::uint64_t nanoseconds : {1'000'000u, 2'000'000u, 3'000'000u, 4'000'000u}) {
    report.result.jobs[0].latency.record(nanoseconds);
  }
  report.result.seconds = 2;
  report.result.cpuSeconds = 8;
  return report;
}

TEST(LoadReport, TellsRatesLatenciesAndCost) {
  const auto json = nlohmann::json::parse(toJson(reportOfOneJob()));
  EXPECT_DOUBLE_EQ(json["gb_per_s"], 2.0);
  EXPECT_DOUBLE_EQ(json["iops"], 2.0);
  EXPECT_NEAR(json["latency_us"]["p50"], 2000, 2000.0 / 128);
  EXPECT_DOUBLE_EQ(json["latency_us"]["max"], 4000);
  EXPECT_NEAR(json["cpu_s_per_gib"], 8 / 3.7253, 1e-3);
  EXPECT_EQ(json["by_job"][0]["job"], "bench-0");
  EXPECT_EQ(json["target"], "direct");
  EXPECT_TRUE(json["tier"].is_null());
  EXPECT_TRUE(json["rate"].is_null());
  EXPECT_THAT(toTable(reportOfOneJob()),
              AllOf(HasSubstr("bench-0"), HasSubstr("2.000"), HasSubstr("4.00 ms")));
}

TEST(LoadReport, SaysWhatTheTierGaveAndWhatTheNodesAbsorbed) {
  LoadReport report = reportOfOneJob();
  report.tier = client::ClientStats{.bytesFromNodes = 3000, .bytesFromBackingStore = 1000};
  report.nodes = NodeTraffic{.servedBytes = 3000, .fetchedBytes = 4096};
  const auto json = nlohmann::json::parse(toJson(report));
  EXPECT_EQ(json["absorbed_bytes"], -1096) << "negative where nodes fetch more than was asked for";
  EXPECT_DOUBLE_EQ(json["tier"]["share_from_nodes"], 0.75);
  EXPECT_THAT(toTable(report), HasSubstr("75.0 %"));
}

TEST(LoadReport, WhatIsNotKnownIsSaidToBeUnknown) {
  LoadReport report = reportOfOneJob();
  report.tier = client::ClientStats{};
  report.nodesUnknown = "nobody answered";
  EXPECT_TRUE(nlohmann::json::parse(toJson(report))["absorbed_bytes"].is_null());
  EXPECT_THAT(toTable(report), HasSubstr("unknown: nobody answered"));
}

TEST(LoadReport, IsGoodOnlyIfThereWereReadsAndAllWereRight) {
  LoadReport report = reportOfOneJob();
  EXPECT_TRUE(report.isGood());
  report.result.jobs[0].changedReads = 1;
  EXPECT_TRUE(report.isGood());
  report.result.jobs[0].failedReads = 1;
  EXPECT_FALSE(report.isGood());
  report.result.jobs[0].failedReads = 0;
  report.result.jobs[0].wrongReads = 1;
  EXPECT_FALSE(report.isGood());
  EXPECT_FALSE(LoadReport{}.isGood());
}

TEST(LoadReport, AFaultInAPathOfStrangeBytesIsStillJson) {
  LoadReport report = reportOfOneJob();
  report.result.jobs[0].firstFault = "\xff\xfe: wrong";
  EXPECT_THAT(nlohmann::json::parse(toJson(report))["first_fault"].get<std::string>(), HasSubstr("wrong"));
}

TEST(NodeTraffic, IsTheDifferenceOfTwoMarks) {
  const NodeTrafficMark before{{"n1", {100, 50}}, {"n2", {0, 0}}};
  const NodeTrafficMark after{{"n1", {300, 60}}, {"n2", {10, 40}}};
  const NodeTraffic traffic = *trafficBetween(before, after);
  EXPECT_EQ(traffic.servedBytes, 210);
  EXPECT_EQ(traffic.fetchedBytes, 50);
  EXPECT_EQ(traffic.absorbedBytes(), 160);
}

TEST(NodeTraffic, OfANodeThatBeganAnewIsUnknown) {
  const NodeTrafficMark before{{"n1", {100, 50}}};
  EXPECT_THAT(trafficBetween(before, {{"n1", {10, 5}}}).error().message, HasSubstr("n1 began anew"));
  EXPECT_THAT(trafficBetween(before, {}).error().message, HasSubstr("n1 went away"));
  EXPECT_FALSE(trafficBetween(before, {{"n1", {100, 50}}, {"n2", {1, 1}}}));
}

}  // namespace
}  // namespace shift::load
