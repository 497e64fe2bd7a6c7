#include "client-lib/ReadAhead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <future>
#include <random>
#include <thread>

#include "tests/support/TemporaryDirectory.h"

namespace shift::client {
namespace {

constexpr std::uint64_t kPiece = 1024 * 1024;

/** A file of ten pieces and a bit, and a reader that goes through its read-ahead as the client does. */
class ReadAheadTest : public testing::Test {
 protected:
  ReadAheadTest() { make(4 * kPiece, 64 * kPiece, 2); }
  ~ReadAheadTest() override {
    letRead();
    ahead_->cancel();
  }

  void make(std::uint64_t window, std::uint64_t total, std::uint32_t threads) {
    ahead_.reset();
    pool_ = std::make_unique<ReadAheadPool>(threads, total);
    ahead_ = std::make_shared<ReadAhead>(*pool_, window, content_.size(),
                                         [this](std::span<std::byte> into, std::uint64_t offset) {
                                           ++reads_;
                                           hold_.wait();
                                           return isFailing_ ? 0 : copy(into, offset);
                                         });
  }
  std::size_t copy(std::span<std::byte> into, std::uint64_t offset) {
    const std::size_t count =
        std::min(into.size(), content_.size() - std::min<std::size_t>(offset, content_.size()));
    std::memcpy(into.data(), content_.data() + offset, count);
    return count;
  }
  /** From read-ahead as far as it goes, else directly. Tells how much came from read-ahead. */
  std::size_t read(std::uint64_t offset, std::size_t size) {
    std::string buffer(size, '?');
    const auto into = std::as_writable_bytes(std::span(buffer));
    const std::size_t taken = ahead_->take(into, offset);
    const std::size_t rest = copy(into.subspan(taken), offset + taken);
    EXPECT_EQ(buffer.substr(0, taken + rest), content_.substr(offset, size)) << offset;
    return taken;
  }
  void letRead() {
    if (!isLet_.exchange(true)) {
      letRead_.set_value();
    }
  }

  const std::string content_ = test::patternedBytes(10 * kPiece + 777, 3);
  std::promise<void> letRead_;
  std::shared_future<void> hold_ = letRead_.get_future().share();
  std::atomic<bool> isLet_{false};
  std::atomic<bool> isFailing_{false};
  std::atomic<int> reads_{0};
  std::unique_ptr<ReadAheadPool> pool_;
  std::shared_ptr<ReadAhead> ahead_;
};

TEST_F(ReadAheadTest, ASequentialReaderFindsItsBytesOnTheirWay) {
  letRead();
  std::size_t ahead = 0;
  for (std::uint64_t at = 0; at < content_.size(); at += kPiece / 4) {
    ahead += read(at, kPiece / 4);
    while (at == kPiece / 2 && reads_ == 0) {
      std::this_thread::yield();  // until a thread has begun with the first piece
    }
  }
  EXPECT_GE(ahead, kPiece);
  EXPECT_LE(reads_, 11) << "no piece is read twice";
}

TEST_F(ReadAheadTest, NothingIsReadForReadsThatDoNotFollow) {
  letRead();
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(read(random() % 1000 * 2000 + 1, 1000), 0u);
  }
  EXPECT_EQ(reads_, 0);
}

TEST_F(ReadAheadTest, ASeekCancelsWhatHasNotBegun) {
  make(4 * kPiece, 64 * kPiece, 1);
  for (std::uint64_t at = 0; at < 3 * 1000; at += 1000) {
    read(at, 1000);  // the third sets off four pieces; the one thread holds the first
  }
  read(5 * kPiece, 1000);
  letRead();
  ahead_->cancel();
  EXPECT_LE(reads_, 1);
}

TEST_F(ReadAheadTest, WhatStillWaitsForAThreadIsReadByTheCaller) {
  make(4 * kPiece, 64 * kPiece, 1);
  pool_->run([this] { hold_.wait(); });  // the only thread has something else to do
  for (std::uint64_t at = 0; at < 5 * kPiece; at += kPiece) {
    EXPECT_EQ(read(at, kPiece), 0u);
  }
  EXPECT_EQ(reads_, 0);
}

TEST_F(ReadAheadTest, StaysWithinItsMemoryAndGivesItBack) {
  make(4 * kPiece, 2 * kPiece, 2);
  EXPECT_FALSE(pool_->reserve(2 * kPiece + 1));
  letRead();
  for (std::uint64_t at = 0; at < content_.size(); at += kPiece / 2) {
    read(at, kPiece / 2);
  }
  ahead_->cancel();
  while (!pool_->reserve(2 * kPiece)) {
    std::this_thread::yield();  // tasks that were cancelled still hold their pieces until a thread sees them
  }
  pool_->giveBack(2 * kPiece);
}

TEST_F(ReadAheadTest, AFailureIsTheCallersToFindOut) {
  isFailing_ = true;
  letRead();
  for (std::uint64_t at = 0; at < 6 * kPiece; at += kPiece) {
    EXPECT_EQ(read(at, kPiece), 0u);
  }
}

TEST_F(ReadAheadTest, ManyThreadsMaySeekAtOnce) {
  letRead();
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([this, seed] {
      std::mt19937_64 random(seed);
      for (int i = 0; i < 40; ++i) {
        std::uint64_t at = random() % (8 * kPiece);
        for (int j = 0; j < 5; ++j, at += 50'000) {
          read(at, 50'000);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace
}  // namespace shift::client
