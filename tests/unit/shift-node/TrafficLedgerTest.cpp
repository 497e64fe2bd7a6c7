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

}  // namespace
}  // namespace shift::node
