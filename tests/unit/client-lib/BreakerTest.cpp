#include "client-lib/Breaker.h"

#include <gtest/gtest.h>

namespace shift::client {
namespace {

using namespace std::chrono_literals;

class BreakerTest : public testing::Test {
 protected:
  void fail(int times) {
    for (int i = 0; i < times; ++i) {
      breaker_.failed(clock_.now());
    }
  }
  bool allows() { return breaker_.allows(clock_.now()); }

  ManualClock clock_;
  Breaker breaker_{{.failures = 3, .pause = 1s, .maxPause = 4s}};
};

TEST_F(BreakerTest, ToleratesFailuresThatAreNotInARow) {
  fail(2);
  breaker_.succeeded();
  fail(2);
  EXPECT_TRUE(allows());
}

TEST_F(BreakerTest, PausesAfterEnoughFailuresInARow) {
  fail(3);
  EXPECT_FALSE(allows());
  clock_.advance(999ms);
  EXPECT_FALSE(allows());
}

TEST_F(BreakerTest, LetsExactlyOneTryThroughAfterThePause) {
  fail(3);
  clock_.advance(1s);
  EXPECT_TRUE(allows());
  EXPECT_FALSE(allows());
  breaker_.succeeded();
  EXPECT_TRUE(allows());
  EXPECT_TRUE(allows());
}

TEST_F(BreakerTest, PausesTwiceAsLongEachTimeUpToTheLimit) {
  fail(3);
  for (const auto pause : {1s, 2s, 4s, 4s}) {
    clock_.advance(pause - 1ms);
    EXPECT_FALSE(allows());
    clock_.advance(1ms);
    EXPECT_TRUE(allows());
    fail(1);
  }
}

TEST_F(BreakerTest, StragglersThatFailDuringAPauseDoNotLengthenIt) {
  fail(3);
  clock_.advance(500ms);
  fail(5);
  clock_.advance(500ms);
  EXPECT_TRUE(allows());
}

}  // namespace
}  // namespace shift::client
