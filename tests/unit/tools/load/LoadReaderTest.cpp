#include "tools/load/LoadReader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/support/MemoryStore.h"
#include "tests/support/TemporaryDirectory.h"
#include "tools/load/LoadRun.h"

namespace shift::load {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/** Gives what a store gives, after a test's hook has had its way with the answer. */
class HookedTarget final : public ReadTarget {
 public:
  using Hook = std::function<void(int read, std::span<std::byte> bytes, Result<std::size_t>& got)>;
  explicit HookedTarget(const store::BackingStore& store) : store_(store) {}

  Result<std::unique_ptr<TargetFile>> open(const std::string& path) override {
    Result<std::unique_ptr<store::BackingFile>> file = store_.open(path);
    if (!file) {
      return file.error();
    }
    ++opens;
    return std::unique_ptr<TargetFile>(new File(*this, *std::move(file)));
  }

  Hook hook = [](int, std::span<std::byte>, Result<std::size_t>&) {};
  int reads = 0;
  int opens = 0;

 private:
  class File final : public TargetFile {
   public:
    File(HookedTarget& target, std::unique_ptr<store::BackingFile> file)
        : target_(target), file_(std::move(file)) {}
    Result<std::size_t> read(std::span<std::byte> into, std::uint64_t offset) override {
      Result<std::size_t> got = file_->read(into, offset);
      target_.hook(target_.reads++, into, got);
      return got;
    }

   private:
    HookedTarget& target_;
    const std::unique_ptr<store::BackingFile> file_;
  };
  const store::BackingStore& store_;
};

/** One reader that scans two small files, in reads of 100 bytes. */
class LoadReaderTest : public testing::Test {
 protected:
  LoadReaderTest() {
    store_.put("a", test::patternedBytes(1000, 1), "v1");
    store_.put("b", test::patternedBytes(500, 2), "v1");
  }

  ReaderResult run(const Schedule& schedule) {
    const PatternConfig config{.readSizes = *ReadSizes::parse("100"), .passes = 1};
    const auto pattern = makePattern(config, files_, {});
    return runReader(*pattern, schedule,
                     {.files = files_,
                      .target = target_,
                      .reference = verify_ ? &store_ : nullptr,
                      .clock = clock_,
                      .waiter = waiter_,
                      .stop = stop_,
                      .progress = progress_});
  }

  ManualClock clock_;
  const ManualWaiter waiter_{clock_};
  std::atomic<bool> stop_{false};
  LoadProgress progress_;
  test::MemoryStore store_{"s"};
  HookedTarget target_{store_};
  bool verify_ = true;
  std::vector<DataFile> files_{{"a", 1000}, {"b", 500}};
};

TEST_F(LoadReaderTest, ReadsAllAndFindsItRight) {
  target_.hook = [this](int, auto, auto&) { clock_.advance(3ms); };
  const ReaderResult result = run({});
  EXPECT_EQ(result.reads, 15u);
  EXPECT_EQ(result.bytes, 1500u);
  EXPECT_EQ(result.failedReads + result.wrongReads + result.changedReads, 0u);
  EXPECT_EQ(result.latency.max(), 3'000'000u);
  EXPECT_EQ(target_.opens, 2);
  EXPECT_EQ(progress_.bytes, 1500u);
}

TEST_F(LoadReaderTest, AWrongByteIsReported) {
  target_.hook = [](int read, std::span<std::byte> bytes, auto&) {
    if (read == 12) {
      bytes[7] ^= std::byte{1};
      bytes[99] ^= std::byte{128};
    }
  };
  const ReaderResult result = run({});
  EXPECT_EQ(result.wrongReads, 1u);
  EXPECT_EQ(result.wrongBytes, 2u);
  EXPECT_EQ(result.failedReads, 0u);
  EXPECT_EQ(result.reads, 15u) << "the others are read all the same";
  EXPECT_THAT(result.firstFault, HasSubstr("b: 2 wrong bytes among the 100 at offset 200"));
}

TEST_F(LoadReaderTest, AFailedReadIsReported) {
  target_.hook = [](int read, auto, Result<std::size_t>& got) {
    if (read == 3 || read == 4) {
      got = Error::fromErrno(EIO, "reading a");
    }
  };
  const ReaderResult result = run({});
  EXPECT_EQ(result.failedReads, 2u);
  EXPECT_EQ(result.bytes, 1300u);
  EXPECT_THAT(result.firstFault, HasSubstr("reading a"));
}

TEST_F(LoadReaderTest, AShortReadIsAFailedOneWithAndWithoutAComparison) {
  target_.hook = [](int read, auto, Result<std::size_t>& got) {
    if (read == 1) {
      got = 40;
    }
  };
  EXPECT_THAT(run({}).firstFault, HasSubstr("a: 40 of 100 bytes at offset 100"));
  verify_ = false;
  target_.reads = 0;
  EXPECT_EQ(run({}).failedReads, 1u);
}

TEST_F(LoadReaderTest, AFileThatIsGoneIsAFailedReadNotTheEnd) {
  files_.insert(files_.begin(), {"absent", 100});
  const ReaderResult result = run({});
  EXPECT_EQ(result.failedReads, 1u);
  EXPECT_EQ(result.bytes, 1500u);
}

TEST_F(LoadReaderTest, AFileWrittenToMeanwhileIsNotCalledWrongAndIsOpenedAnew) {
  target_.hook = [this](int read, auto, auto&) {
    if (read == 2) {
      store_.put("a", test::patternedBytes(1000, 3), "v2");
    }
  };
  const ReaderResult result = run({});
  EXPECT_EQ(result.changedReads, 1u);
  EXPECT_EQ(result.wrongReads + result.failedReads, 0u);
  EXPECT_EQ(target_.opens, 3);
}

TEST_F(LoadReaderTest, WithoutVerifyingTheStoreIsReadOnce) {
  verify_ = false;
  run({});
  EXPECT_EQ(store_.reads(), 15u);
}

TEST_F(LoadReaderTest, InAnOpenLoopASlowReadIsPaidForByAllThatItHeldUp) {
  target_.hook = [this](int read, auto, auto&) { clock_.advance(read == 0 ? 35ms : 1ms); };
  const ReaderResult result = run({.interval = 10ms});
  // Due at 0, 10, 20, 30, 40 …; begun at 0, 35, 36, 37, 40 …
  EXPECT_EQ(result.latency.count(), 15u);
  EXPECT_EQ(result.latency.max(), 35'000'000u);
  EXPECT_NEAR(result.latency.mean(), (35e6 + 26e6 + 17e6 + 8e6 + 11 * 1e6) / 15, 1);
  EXPECT_EQ(clock_.now(), TimePoint(141ms)) << "the last is due at 140 ms";
}

TEST_F(LoadReaderTest, EndsByTimeByNumberOrWhenTold) {
  target_.hook = [this](int, auto, auto&) { clock_.advance(10ms); };
  EXPECT_EQ(run({.end = TimePoint(45ms)}).reads, 5u);
  EXPECT_EQ(run({.maxReads = 3}).reads, 3u);
  target_.reads = 0;
  target_.hook = [this](int read, auto, auto&) { stop_ = read == 1; };
  EXPECT_EQ(run({}).reads, 2u);
}

TEST(Schedule, DividesReadsAndRateAmongTheReaders) {
  const LoadConfig config{.jobs = 2, .readers = 2, .readsPerSecond = 100, .duration = 3s, .reads = 10};
  std::uint64_t reads = 0;
  for (std::uint32_t reader = 0; reader < 4; ++reader) {
    const Schedule schedule = scheduleOf(config, reader, TimePoint(1s));
    EXPECT_EQ(schedule.begin, TimePoint(1s + reader * 10ms));
    EXPECT_EQ(schedule.interval, 40ms);
    EXPECT_EQ(schedule.end, TimePoint(4s));
    reads += schedule.maxReads;
  }
  EXPECT_EQ(reads, 10u);
}

}  // namespace
}  // namespace shift::load
