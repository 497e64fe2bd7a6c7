#include "shift-node/TrafficLedger.h"

#include <gtest/gtest.h>

namespace shift::node {
namespace {

using Outcome = GetRecord::Outcome;

TEST(TrafficLedger, SumsPerBucketAndPerJob) {
  TrafficLedger ledger(10);
  ledger.record({"b1", "j1", Outcome::kFilled, 100, 256});
  ledger.record({"b1", "j2", Outcome::kHit, 100, 0});
  ledger.record({"b2", "j2", Outcome::kRefused, 0, 0});
  const Traffic bucket = ledger.byBucket().at("b1");
  EXPECT_EQ(bucket.requests, 2u);
  EXPECT_EQ(bucket.hits, 1u);
  EXPECT_EQ(bucket.fills, 1u);
  EXPECT_EQ(bucket.servedBytes, 200u);
  EXPECT_EQ(bucket.fetchedBytes, 256u);
  const Traffic job = ledger.byJob().at("j2");
  EXPECT_EQ(job.requests, 2u);
  EXPECT_EQ(job.refusals, 1u);
  EXPECT_EQ(ledger.total().requests, 3u);
  EXPECT_EQ(ledger.total().servedBytes, 200u);
}

TEST(TrafficLedger, CountsNewcomersTogetherWhenItIsFull) {
  TrafficLedger ledger(2);
  for (const char* name : {"a", "b", "c", "d", "a"}) {
    ledger.record({name, "j", Outcome::kHit, 1, 0});
  }
  EXPECT_EQ(ledger.byBucket().size(), 3u);
  EXPECT_EQ(ledger.byBucket().at("a").requests, 2u);
  EXPECT_EQ(ledger.byBucket().at(TrafficLedger::kOthers).requests, 2u);
}

/** Served bytes by name, as metrics would show them. */
std::map<std::string, std::uint64_t> shown(TrafficLedger& ledger) {
  std::map<std::string, std::uint64_t> served;
  for (const NamedTraffic& series : ledger.seriesByBucket()) {
    served[series.name] += series.traffic.servedBytes;
  }
  return served;
}

using Served = std::map<std::string, std::uint64_t>;

TEST(TrafficLedger, NamesThoseThatWereServedMost) {
  TrafficLedger ledger(100, 2);
  ledger.record({"small", "j", Outcome::kHit, 1, 0});
  ledger.record({"middle", "j", Outcome::kHit, 10, 0});
  EXPECT_EQ(shown(ledger), (Served{{"small", 1}, {"middle", 10}}));
  ledger.record({"large", "j", Outcome::kHit, 100, 0});
  EXPECT_EQ(shown(ledger), (Served{{"large", 100}, {"middle", 10}, {"(others)", 100}}))
      << "what it was served before it had a series stays where it was counted";
}

TEST(TrafficLedger, NoSeriesEverFalls) {
  TrafficLedger ledger(50, 3);
  Served before;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::uint64_t bucket = (i * i) % 97;
    ledger.record({"b" + std::to_string(bucket), "j", Outcome::kHit, 1 + bucket, 0});
    if (i % 7 == 0) {
      const Served now = shown(ledger);
      EXPECT_LE(now.size(), 4u);
      for (const auto& [name, served] : now) {
        EXPECT_GE(served, before[name]) << name;
        before[name] = served;
      }
    }
  }
}

TEST(TrafficLedger, CountsAllTogetherIfNoSeriesAreWanted) {
  TrafficLedger ledger(10, 0);
  ledger.record({"a", "j", Outcome::kHit, 1, 0});
  ledger.record({"b", "j", Outcome::kHit, 2, 0});
  EXPECT_EQ(shown(ledger), (Served{{"(others)", 3}}));
}

TEST(TrafficLedger, LooksThroughManyNames) {
  TrafficLedger ledger(100'000, 2);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    ledger.record({"b" + std::to_string(i), "j", Outcome::kHit, i, 0});
  }
  const Served now = shown(ledger);
  EXPECT_EQ(now.at("b4999"), 4999u);
  EXPECT_EQ(now.at("b4998"), 4998u);
  EXPECT_EQ(now.size(), 3u);
}

}  // namespace
}  // namespace shift::node
