#include "backing-store/ModelledDisks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <latch>
#include <set>
#include <thread>

#include "blocks/Geometry.h"
#include "tests/support/MemoryStore.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::store {
namespace {

using namespace std::chrono_literals;

/** A store in memory on modelled disks, and time that moves when somebody waits. */
class ModelledDisksTest : public testing::Test {
 protected:
  void putOnto(std::uint32_t disks) {
    store_ = *putOnDisks(std::move(memory_), {.disks = disks, .seek = 10ms, .bytesPerSecond = 100'000'000},
                         clock_, waiter_, counters_);
  }

  Duration took(const BackingFile& file, std::size_t count, std::uint64_t offset) {
    const TimePoint begin = clock_.now();
    std::string buffer(count, '\0');
    EXPECT_TRUE(file.read(std::as_writable_bytes(std::span(buffer)), offset));
    return clock_.now() - begin;
  }

  std::int64_t counter(std::string_view name) { return counters_.counter(name, "").value(); }

  ManualClock clock_;
  const ManualWaiter waiter_{clock_};
  CounterRegistry counters_;
  std::unique_ptr<test::MemoryStore> memory_ = std::make_unique<test::MemoryStore>("warehouse");
  test::MemoryStore& inner_ = *memory_;
  std::unique_ptr<BackingStore> store_;
};

TEST_F(ModelledDisksTest, BytesVersionsAndListingsAreTheInnerStores) {
  const std::string content = test::patternedBytes(100'000, 1);
  inner_.put("t/ds=1/a", content, "v1");
  inner_.put("t/ds=1/b", "b", "v2");
  const auto listed = *inner_.list("t");
  putOnto(3);
  EXPECT_EQ(store_->name(), "warehouse");
  EXPECT_EQ(*store_->stat("t/ds=1/a"), (FileInfo{100'000, "v1"}));
  EXPECT_EQ(*store_->list("t"), listed);
  const auto file = *store_->open("/t//ds=1/a");
  EXPECT_EQ(file->info(), (FileInfo{100'000, "v1"}));
  std::string first(300, '\0');
  std::string second(200'000, '\0');
  const std::vector<std::span<std::byte>> buffers{std::as_writable_bytes(std::span(first)),
                                                  std::as_writable_bytes(std::span(second))};
  EXPECT_EQ(*file->read(buffers, 50), 99'950u);
  EXPECT_EQ(first + second.substr(0, 99'650), content.substr(50));
  inner_.put("t/ds=1/a", "new", "v3");
  EXPECT_EQ(*file->currentInfo(), (FileInfo{3, "v3"}));
}

TEST_F(ModelledDisksTest, AReadTakesASeekAndItsTransferAndIsCounted) {
  inner_.put("f", std::string(2'000'000, 'x'), "v");
  putOnto(1);
  const auto file = *store_->open("f");
  EXPECT_EQ(took(*file, 1'000'000, 0), 20ms);
  EXPECT_EQ(took(*file, 1'000'000, 1'500'000), 15ms) << "only what there is";
  EXPECT_EQ(took(*file, 10, 2'000'000), 0ms) << "past the end no disk is asked";
  EXPECT_EQ(counter("disk_reads_total"), 2);
  EXPECT_EQ(counter("disk_read_bytes_total"), 1'500'000);
  EXPECT_EQ(counter("disk_head_nanoseconds_total"), 35'000'000);
  EXPECT_EQ(counter("disk_queued_reads"), 0);
}

TEST_F(ModelledDisksTest, NoDisksMeansTheStoreItself) {
  BackingStore* const bare = memory_.get();
  putOnto(0);
  EXPECT_EQ(store_.get(), bare);
}

TEST_F(ModelledDisksTest, ErrorsOfTheInnerStorePassThrough) {
  inner_.put("f", "content", "v");
  putOnto(1);
  EXPECT_EQ(store_->open("absent").error().systemError, ENOENT);
  EXPECT_EQ(store_->stat("absent").error().systemError, ENOENT);
  const auto file = *store_->open("f");
  inner_.failReads(true);
  std::string buffer(7, '\0');
  EXPECT_EQ(file->read(std::as_writable_bytes(std::span(buffer)), 0).error().systemError, EIO);
  EXPECT_EQ(counter("disk_queued_reads"), 0);
}

TEST_F(ModelledDisksTest, AFileMayOutliveItsStore) {
  inner_.put("f", "content", "v");
  putOnto(1);
  const auto file = *store_->open("f");
  store_.reset();
  EXPECT_GT(took(*file, 7, 0), 10ms);
}

/** A waiter that keeps whoever waits until it is released, and remembers until when each wanted to wait. */
class HeldWaiter final : public Waiter {
 public:
  explicit HeldWaiter(std::ptrdiff_t waiters) : arrived_(waiters) {}
  void waitUntil(TimePoint when) const override {
    {
      std::lock_guard lock(mutex_);
      ends_.insert(when);
    }
    arrived_.count_down();
    released_.wait();
  }
  void awaitAll() const { arrived_.wait(); }
  void release() const { released_.count_down(); }
  std::multiset<TimePoint> ends() const {
    std::lock_guard lock(mutex_);
    return ends_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::multiset<TimePoint> ends_;
  mutable std::latch arrived_;
  mutable std::latch released_{1};
};

TEST_F(ModelledDisksTest, ReadersAtOnceQueueBehindEachOther) {
  constexpr int kReaders = 8;
  inner_.put("f", std::string(1'000'000, 'x'), "v");
  const HeldWaiter waiter(kReaders);
  const auto disk = *putOnDisks(std::move(memory_), {.disks = 1, .seek = 10ms, .bytesPerSecond = 100'000'000},
                                clock_, waiter, counters_);
  const auto file = *disk->open("f");
  std::vector<std::jthread> readers;
  for (int i = 0; i < kReaders; ++i) {
    readers.emplace_back([&] {
      std::string buffer(1'000'000, '\0');
      EXPECT_EQ(*file->read(std::as_writable_bytes(std::span(buffer)), 0), 1'000'000u);
      EXPECT_EQ(buffer, std::string(1'000'000, 'x'));
    });
  }
  waiter.awaitAll();
  EXPECT_EQ(counter("disk_queued_reads"), kReaders);
  std::multiset<TimePoint> expected;
  for (int i = 1; i <= kReaders; ++i) {
    expected.insert(TimePoint(i * 20ms));
  }
  EXPECT_EQ(waiter.ends(), expected);
  waiter.release();
  readers.clear();
  EXPECT_EQ(counter("disk_queued_reads"), 0);
  EXPECT_EQ(counter("disk_head_nanoseconds_total"), std::chrono::nanoseconds(kReaders * 20ms).count());
}

/** Files of any size whose reads give nothing but their length: enough for where reads go. */
class HollowStore final : public BackingStore {
 public:
  explicit HollowStore(std::uint64_t size) : info_{size, "v"} {}
  const std::string& name() const override { return name_; }
  Result<FileInfo> stat(std::string_view) const override { return info_; }
  Result<std::unique_ptr<BackingFile>> open(std::string_view) const override {
    return std::unique_ptr<BackingFile>(new File(info_));
  }
  Result<std::vector<ListedFile>> list(std::string_view) const override { return std::vector<ListedFile>(); }

 private:
  class File final : public BackingFile {
   public:
    explicit File(FileInfo info) : info_(std::move(info)) {}
    const FileInfo& info() const override { return info_; }
    Result<FileInfo> currentInfo() const override { return info_; }
    using BackingFile::read;
    Result<std::size_t> read(std::span<const std::span<std::byte>> into, std::uint64_t) const override {
      return into.front().size();
    }

   private:
    const FileInfo info_;
  };
  const std::string name_ = "hollow";
  const FileInfo info_;
};

/** Nobody waits: when a read would be done says how many of its disk stand before it. */
class NoWaiter final : public Waiter {
 public:
  void waitUntil(TimePoint when) const override { last = std::max(last, when); }
  mutable TimePoint last;
};

TEST_F(ModelledDisksTest, StripesAreSpreadEvenlyAndAlwaysInTheSamePlace) {
  constexpr std::uint32_t kDisks = 10;
  constexpr std::uint64_t kStripes = 10'000;
  constexpr Duration kSeek = 1ms;
  const NoWaiter waiter;
  const auto longestQueue = [&] {
    const auto disks =
        *putOnDisks(std::make_unique<HollowStore>(kStripes * kDefaultBlockSize),
                    {.disks = kDisks, .seek = kSeek, .bytesPerSecond = kTiB}, clock_, waiter, counters_);
    const auto file = *disks->open("f");
    std::byte one{};
    waiter.last = {};
    for (std::uint64_t stripe = 0; stripe < kStripes; ++stripe) {
      EXPECT_TRUE(file->read(std::span(&one, 1), stripe * kDefaultBlockSize));
    }
    return waiter.last.time_since_epoch() / kSeek;
  };
  const auto longest = longestQueue();
  EXPECT_GE(longest, 1000);
  EXPECT_LE(longest, 1120) << "within four standard deviations of a fair share";
  EXPECT_EQ(longestQueue(), longest);
}

TEST_F(ModelledDisksTest, AReadAcrossStripesIsOneReadOfEach) {
  const auto disks =
      *putOnDisks(std::make_unique<HollowStore>(3 * kDefaultBlockSize),
                  {.disks = 1000, .seek = 10ms, .bytesPerSecond = kTiB}, clock_, waiter_, counters_);
  const auto file = *disks->open("f");
  EXPECT_LE(took(*file, 2, kDefaultBlockSize - 1), 11ms) << "side by side, on two disks";
  EXPECT_EQ(counter("disk_reads_total"), 2);
  EXPECT_EQ(counter("disk_read_bytes_total"), 2);
}

TEST_F(ModelledDisksTest, StoresThatNameOneQueueFileAreOnTheSameDisks) {
  const test::TemporaryDirectory directory;
  const NoWaiter waiter;
  const DiskConfig config{
      .disks = 1, .seek = 10ms, .bytesPerSecond = kTiB, .queueFile = directory / "queues"};
  const auto storeOf = [&] {
    return *putOnDisks(std::make_unique<HollowStore>(kDefaultBlockSize), config, clock_, waiter, counters_);
  };
  const auto one = storeOf();
  const auto other = storeOf();
  std::byte byte{};
  clock_.advance(1s);
  const TimePoint now = clock_.now();
  EXPECT_TRUE((*one->open("f"))->read(std::span(&byte, 1), 0));
  EXPECT_EQ(waiter.last, now + 10ms);
  EXPECT_TRUE((*other->open("f"))->read(std::span(&byte, 1), 0));
  EXPECT_EQ(waiter.last, now + 20ms) << "behind the other's read";
}

TEST_F(ModelledDisksTest, AQueueFileThatCannotBeUsedIsAnError) {
  const auto store = putOnDisks(std::make_unique<HollowStore>(1), {.disks = 1, .queueFile = "/absent/queues"},
                                clock_, waiter_, counters_);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("/absent/queues"), std::string::npos);
}

}  // namespace
}  // namespace shift::store
