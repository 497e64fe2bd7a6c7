#include "shift-node/DataPlane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <map>

#include "blocks/Checksum.h"
#include "tests/support/EngineDecorator.h"
#include "tests/support/HeldReads.h"
#include "tests/support/InProcessNode.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::uint64_t kBlock = 512;  // eight segments of 64 bytes

/** Admits nothing, and counts what it was asked. */
class RefuseAll final : public control::AdmissionPolicy {
 public:
  void record(const control::ReadRequest&, TimePoint) override { ++recorded; }
  control::Decision decide(const control::ReadRequest&, double, TimePoint) override { return {}; }
  bool reinsert(const BlockId&, TimePoint) override { return false; }
  int recorded = 0;
};

/** Notes who is to verify what is looked up, and says of it that nobody has. */
class UnverifiedEngine final : public test::EngineDecorator {
 public:
  using EngineDecorator::EngineDecorator;
  void lookup(std::span<const SegmentKey> keys, Check check, LookupDone done) override {
    lastCheck = check;
    EngineDecorator::lookup(keys, check, [check, done](std::vector<SegmentRef> found) {
      for (SegmentRef& segment : found) {
        segment.isVerified = check != Check::kLeftToCaller;
      }
      done(std::move(found));
    });
  }
  std::optional<Check> lastCheck;
};

class DataPlaneTest : public testing::Test {
 protected:
  DataPlaneTest() { node_.store.put("t/f", content_, "v1"); }

  std::future<GetAnswer> begin(const wire::GetRequest& request, Duration patience = 1min) {
    auto promise = std::make_shared<std::promise<GetAnswer>>();
    node_.dataPlane.get(request, node_.clock.now() + patience,
                        [promise](GetAnswer answer) { promise->set_value(std::move(answer)); });
    return promise->get_future();
  }
  GetAnswer get(const wire::GetRequest& request) { return begin(request).get(); }
  static GetAnswer get(test::InProcessNode& node, const wire::GetRequest& request) {
    std::promise<GetAnswer> answered;
    node.dataPlane.get(request, node.clock.now() + 1min,
                       [&](GetAnswer answer) { answered.set_value(std::move(answer)); });
    return answered.get_future().get();
  }
  wire::GetRequest request(std::uint64_t block, std::uint64_t offset, std::uint64_t length) {
    return test::getRequest(node_.store, "t/f", kBlock, block, offset, length);
  }

  const std::string content_ = test::patternedBytes(1300, 1);
  test::InProcessNode node_;
};

TEST_F(DataPlaneTest, FetchesWhatIsMissingOnceThenServesFromTheCache) {
  const GetAnswer first = get(request(1, 100, 200));
  ASSERT_EQ(first.status, wire::ReadStatus::HIT) << first.reason;
  EXPECT_EQ(test::bodyOf(first), content_.substr(kBlock + 100, 200));
  EXPECT_EQ(node_.store.reads(), 1u) << "neighbours are one backing read";
  EXPECT_EQ(node_.store.bytesRead(), 4 * 64u);

  const GetAnswer again = get(request(1, 120, 130));
  EXPECT_EQ(test::bodyOf(again), content_.substr(kBlock + 120, 130));
  EXPECT_EQ(node_.store.reads(), 1u);
  EXPECT_EQ(node_.counter("node_get_fills_total"), 1);
  EXPECT_EQ(node_.counter("node_get_hits_total"), 1);
  const Traffic bucket = node_.ledger.byBucket().at("s:t");
  EXPECT_EQ(bucket.servedBytes, 330u);
  EXPECT_EQ(bucket.fetchedBytes, 256u);
}

TEST_F(DataPlaneTest, ServesTheShortLastSegment) {
  const GetAnswer answer = get(request(2, 250, 26));
  ASSERT_EQ(answer.status, wire::ReadStatus::HIT) << answer.reason;
  EXPECT_EQ(test::bodyOf(answer), content_.substr(1274));
}

TEST_F(DataPlaneTest, ChecksumsCoverTheBytesThatAreSent) {
  const wire::GetRequest asked = request(0, 32, 64);
  const GetAnswer answer = get(asked);
  const BlockId block{static_cast<std::uint64_t>(asked.blockHigh),
                      static_cast<std::uint64_t>(asked.blockLow)};
  ASSERT_EQ(answer.checksums.size(), 2u);
  EXPECT_EQ(static_cast<std::uint64_t>(answer.checksums[0]),
            checksumOf({block, 0}, 32, answer.slices[0].bytes()));
  EXPECT_EQ(static_cast<std::uint64_t>(answer.checksums[1]),
            checksumOf({block, 1}, 0, answer.slices[1].bytes()));
}

TEST_F(DataPlaneTest, LeavesWholeSegmentsToAClientThatVerifies) {
  UnverifiedEngine engine(node_.memory);
  test::InProcessNode node({}, &engine);
  node.store.put("t/f", content_, "v1");
  struct Case {
    std::uint64_t block, offset, length;
    std::optional<std::int32_t> verifier;
    Check check;
  };
  const Case cases[] = {
      {0, 64, 128, wire::Verifier::CLIENT, Check::kLeftToCaller},
      {2, 192, 84, wire::Verifier::CLIENT, Check::kLeftToCaller},  // to the end of the file
      {0, 64, 127, wire::Verifier::CLIENT, Check::kOnce},
      {0, 65, 127, wire::Verifier::CLIENT, Check::kOnce},
      {0, 64, 128, wire::Verifier::NODE, Check::kOnce},
      {0, 64, 128, std::nullopt, Check::kOnce},
      {0, 64, 128, 99, Check::kOnce},
      {0, 64, 128, wire::Verifier::NODE_ANEW, Check::kAnew},
  };
  for (const Case& each : cases) {
    wire::GetRequest request =
        test::getRequest(node.store, "t/f", kBlock, each.block, each.offset, each.length);
    if (each.verifier) {
      request.__set_verifier(*each.verifier);
    }
    for (int i = 0; i < 2; ++i) {  // the first fills
      const GetAnswer answer = get(node, request);
      ASSERT_EQ(answer.status, wire::ReadStatus::HIT) << answer.reason;
      EXPECT_EQ(test::bodyOf(answer), content_.substr(each.block * kBlock + each.offset, each.length));
    }
    EXPECT_EQ(engine.lastCheck, each.check) << each.offset << " " << each.length;
  }
}

TEST_F(DataPlaneTest, CutsNothingThatNobodyHasVerified) {
  UnverifiedEngine engine(node_.memory);
  test::InProcessNode node({}, &engine);
  node.store.put("t/f", content_, "v1");
  get(node, test::getRequest(node.store, "t/f", kBlock, 2, 192, 84));
  wire::GetRequest request = test::getRequest(node.store, "t/f", kBlock, 2, 192, 74);
  request.__set_fileSize(1290);  // as if the file ended there: the segment would be whole
  request.__set_verifier(wire::Verifier::CLIENT);
  const GetAnswer answer = get(node, request);
  EXPECT_EQ(engine.lastCheck, Check::kLeftToCaller);
  EXPECT_EQ(answer.status, wire::ReadStatus::REFUSED);
}

TEST_F(DataPlaneTest, FetchesOnlyTheMissingRunsBetweenWhatIsHeld) {
  get(request(0, 128, 64));
  EXPECT_EQ(node_.store.reads(), 1u);
  EXPECT_EQ(test::bodyOf(get(request(0, 0, 512))), content_.substr(0, 512));
  EXPECT_EQ(node_.store.reads(), 3u);
  EXPECT_EQ(node_.store.bytesRead(), 512u) << "no byte was fetched twice";
}

TEST_F(DataPlaneTest, ARefusalFetchesNothingAndIsRecorded) {
  RefuseAll policy;
  test::InProcessNode node({}, nullptr, &policy);
  node.store.put("t/f", content_, "v1");
  const GetAnswer answer = get(node, test::getRequest(node.store, "t/f", kBlock, 0, 0, 100));
  EXPECT_EQ(answer.status, wire::ReadStatus::REFUSED);
  EXPECT_FALSE(answer.reason.empty());
  EXPECT_EQ(node.store.reads(), 0u);
  EXPECT_EQ(policy.recorded, 1);
  EXPECT_EQ(node.ledger.byJob().at("job").refusals, 1u);
}

TEST_F(DataPlaneTest, ManyCallersShareOneFetch) {
  test::HeldReads held(node_.store);
  std::vector<std::future<GetAnswer>> answers;
  answers.push_back(begin(request(0, 0, 128)));
  held.waitForOne();
  for (int i = 0; i < 20; ++i) {
    answers.push_back(begin(request(0, 64, 64)));
  }
  held.release();
  for (std::future<GetAnswer>& answer : answers) {
    EXPECT_EQ(answer.get().status, wire::ReadStatus::HIT);
  }
  EXPECT_EQ(node_.store.reads(), 1u);
  EXPECT_EQ(node_.counter("node_fills_joined_total"), 20);
  EXPECT_EQ(node_.ledger.byBucket().at("s:t").fetchedBytes, 128u) << "on the account of the first";
}

TEST_F(DataPlaneTest, AnotherVersionIsAMissAndPlantsNothing) {
  const wire::GetRequest old = request(0, 0, 64);
  node_.store.put("t/f", test::patternedBytes(1300, 2), "v2");
  const GetAnswer answer = get(old);
  EXPECT_EQ(answer.status, wire::ReadStatus::REFUSED);
  EXPECT_THAT(answer.reason, HasSubstr("another version"));
  EXPECT_EQ(node_.memory.status().segments, 0u);
}

TEST_F(DataPlaneTest, AFileThatChangesWhileItIsReadPlantsNothing) {
  node_.store.beforeRead([&] { node_.store.put("t/f", test::patternedBytes(1300, 2), "v2"); });
  const GetAnswer answer = get(request(0, 0, 64));
  EXPECT_EQ(answer.status, wire::ReadStatus::REFUSED);
  EXPECT_THAT(answer.reason, HasSubstr("changed while it was read"));
  EXPECT_EQ(node_.memory.status().segments, 0u);
}

TEST_F(DataPlaneTest, ALieAboutTheFileIsAMissAndPlantsNothing) {
  wire::GetRequest size = request(2, 0, 64);
  size.fileSize = 1100;  // the last segment would be cut short
  EXPECT_EQ(get(size).status, wire::ReadStatus::REFUSED);

  wire::GetRequest block = request(0, 0, 64);
  block.blockLow ^= 1;
  EXPECT_EQ(get(block).status, wire::ReadStatus::ERROR);
  EXPECT_THAT(get(block).reason, HasSubstr("block id"));
  EXPECT_EQ(node_.memory.status().segments, 0u);
}

TEST_F(DataPlaneTest, RefusesWhatMakesNoSense) {
  const auto faultOf = [&](const std::function<void(wire::GetRequest&)>& spoil) {
    wire::GetRequest bad = request(0, 0, 64);
    spoil(bad);
    const GetAnswer answer = get(bad);
    EXPECT_EQ(answer.status, wire::ReadStatus::ERROR);
    return answer.reason;
  };
  EXPECT_THAT(faultOf([](auto& bad) { bad.store = "other"; }), HasSubstr("store \"s\""));
  EXPECT_THAT(faultOf([](auto& bad) { bad.path = "../f"; }), HasSubstr(".."));
  EXPECT_THAT(faultOf([](auto& bad) { bad.path = "t//f"; }), HasSubstr("not normalised"));
  EXPECT_THAT(faultOf([](auto& bad) { bad.job = std::string(300, 'j'); }), HasSubstr("256 bytes"));
  for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{0}, INT64_MIN, INT64_MAX}) {
    EXPECT_FALSE(faultOf([&](auto& bad) { bad.length = number; }).empty());
    EXPECT_FALSE(faultOf([&](auto& bad) { bad.blockSize = number; }).empty());
  }
  for (const std::int64_t number : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    EXPECT_FALSE(faultOf([&](auto& bad) { bad.offset = number; }).empty());
    EXPECT_FALSE(faultOf([&](auto& bad) { bad.blockIndex = number; }).empty());
  }
  EXPECT_FALSE(faultOf([](auto& bad) { bad.fileSize = -1; }).empty());
  EXPECT_EQ(node_.store.reads(), 0u);
}

TEST_F(DataPlaneTest, AFailingBackingStoreIsAMiss) {
  node_.store.failReads(true);
  EXPECT_EQ(get(request(0, 0, 64)).status, wire::ReadStatus::REFUSED);
  node_.store.failReads(false);
  EXPECT_EQ(get(request(0, 0, 64)).status, wire::ReadStatus::HIT) << "and is not remembered";
}

TEST_F(DataPlaneTest, APassedDeadlineAnswersBusyWithoutReading) {
  const GetAnswer answer = begin(request(0, 0, 64), -1s).get();
  EXPECT_EQ(answer.status, wire::ReadStatus::BUSY);
  EXPECT_EQ(node_.store.reads(), 0u);
}

TEST(DataPlaneQueue, AnswersBusyWhenTooMuchIsWaiting) {
  test::InProcessNode node({.maxQueuedBytes = 64, .fillThreads = 1});
  node.store.put("t/f", test::patternedBytes(1300, 1), "v1");
  test::HeldReads held(node.store);
  std::vector<std::promise<GetAnswer>> answers(3);
  const auto begin = [&](std::size_t i) {
    node.dataPlane.get(test::getRequest(node.store, "t/f", kBlock, i, 0, 64), node.clock.now() + 1min,
                       [&, i](GetAnswer answer) { answers[i].set_value(std::move(answer)); });
  };
  begin(0);
  held.waitForOne();  // the only thread is busy with it
  begin(1);           // waits
  begin(2);           // one too many
  EXPECT_EQ(answers[2].get_future().get().status, wire::ReadStatus::BUSY);
  held.release();
  EXPECT_EQ(answers[0].get_future().get().status, wire::ReadStatus::HIT);
  EXPECT_EQ(answers[1].get_future().get().status, wire::ReadStatus::HIT);
}

TEST_F(DataPlaneTest, EveryGetIsCountedOnceByWhatBecameOfIt) {
  EXPECT_EQ(get(request(0, 0, 64)).status, wire::ReadStatus::HIT);
  EXPECT_EQ(get(request(0, 0, 64)).status, wire::ReadStatus::HIT);
  wire::GetRequest lie = request(0, 0, 64);
  lie.__set_blockLow(lie.blockLow + 1);
  EXPECT_EQ(get(lie).status, wire::ReadStatus::ERROR);
  wire::GetRequest changed = request(1, 0, 64);
  node_.store.put("t/f", content_, "v2");
  EXPECT_EQ(get(changed).status, wire::ReadStatus::REFUSED);
  std::map<std::string, std::int64_t> counted;
  for (const CounterValue& counter : node_.counters.snapshot()) {
    if (counter.family.starts_with("node_get_") && counter.value > 0) {
      counted[counter.name] = counter.value;
    }
  }
  EXPECT_EQ(counted,
            (std::map<std::string, std::int64_t>{{"node_get_fills_total", 1},
                                                 {R"(node_get_hits_total{tier="dram"})", 1},
                                                 {R"(node_get_hit_bytes_total{tier="dram"})", 64},
                                                 {R"(node_get_misses_total{reason="changed"})", 1},
                                                 {R"(node_get_misses_total{reason="invalid"})", 1}}));
}

}  // namespace
}  // namespace shift::node
