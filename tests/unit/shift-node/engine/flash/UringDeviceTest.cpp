#include "shift-node/engine/flash/UringDevice.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <future>
#include <random>
#include <thread>

#include "common/ByteSize.h"
#include "net/EventLoop.h"
#include "shift-node/engine/flash/AlignedBuffer.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

constexpr std::uint64_t kSize = 16 * kMiB;
constexpr std::uint32_t kPiece = 256 * kKiB;
constexpr std::size_t kPieces = kSize / kPiece;

/** A device whose pieces are each filled with their own number. */
class UringDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<FlashFile> file = FlashFile::open({directory_ / "cache", kSize});
    ASSERT_TRUE(file.ok()) << file.error().message;
    Result<std::unique_ptr<UringDevice>> device = UringDevice::open(*file, 8, {});
    if (!device) {
      GTEST_SKIP() << device.error().message;
    }
    device_ = *std::move(device);
    for (std::size_t i = 0; i < kPieces; ++i) {
      AlignedBuffer piece(kPiece);
      std::fill(piece.bytes().begin(), piece.bytes().end(), numbered(i));
      ASSERT_TRUE(device_->write(i * kPiece, piece.bytes()).ok());
    }
  }

  static std::byte numbered(std::size_t piece) { return static_cast<std::byte>(piece + 1); }

  static bool isPiece(const AlignedBuffer& buffer, std::size_t piece) {
    return std::all_of(buffer.bytes().begin(), buffer.bytes().end(),
                       [&](std::byte byte) { return byte == numbered(piece); });
  }

  static IoRequest readOf(std::size_t piece, AlignedBuffer& into, std::function<void(int)> done) {
    return {IoKind::kRead, piece * kPiece, into.bytes().data(), kPiece, std::move(done)};
  }

  /** Starts a read of each piece on the loop's thread, all together. */
  void startAll(net::EventLoop& loop, std::vector<AlignedBuffer>& buffers,
                const std::function<void(int)>& done) {
    loop.post([&, done] {
      std::vector<IoRequest> requests;
      for (std::size_t i = 0; i < kPieces; ++i) {
        requests.push_back(readOf(i, buffers[i], done));
      }
      device_->submit(std::move(requests));
    });
  }

  static std::vector<AlignedBuffer> buffersForAll() {
    std::vector<AlignedBuffer> buffers;
    for (std::size_t i = 0; i < kPieces; ++i) {
      buffers.emplace_back(kPiece);
    }
    return buffers;
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<UringDevice> device_;
};

TEST_F(UringDeviceTest, WhatALoopStartsIsAnsweredOnItsThread) {
  net::EventLoop loop;
  AlignedBuffer buffer(kPiece);
  std::promise<net::EventLoop*> answeredOn;
  loop.post([&] {
    std::vector<IoRequest> requests;
    requests.push_back(readOf(3, buffer, [&](int error) {
      EXPECT_EQ(error, 0);
      answeredOn.set_value(net::EventLoop::current());
    }));
    device_->submit(std::move(requests));
  });
  EXPECT_EQ(answeredOn.get_future().get(), &loop);
  EXPECT_TRUE(isPiece(buffer, 3));
}

TEST_F(UringDeviceTest, WhatAnotherThreadStartsIsAnsweredOnTheDevicesOwn) {
  AlignedBuffer buffer(kPiece);
  std::promise<std::thread::id> answeredOn;
  std::vector<IoRequest> requests;
  requests.push_back(readOf(3, buffer, [&](int) { answeredOn.set_value(std::this_thread::get_id()); }));
  device_->submit(std::move(requests));
  EXPECT_NE(answeredOn.get_future().get(), std::this_thread::get_id());
  EXPECT_TRUE(isPiece(buffer, 3));
}

TEST_F(UringDeviceTest, ALoopsRequestsMayBeManyMoreThanGoToTheKernelAtOnce) {
  net::EventLoop loop;
  std::vector<AlignedBuffer> buffers = buffersForAll();
  std::size_t left = kPieces;  // of the loop's thread
  std::promise<void> done;
  startAll(loop, buffers, [&](int error) {
    EXPECT_EQ(error, 0);
    if (--left == 0) {
      done.set_value();
    }
  });
  done.get_future().wait();
  for (std::size_t i = 0; i < kPieces; ++i) {
    EXPECT_TRUE(isPiece(buffers[i], i)) << i;
  }
}

TEST_F(UringDeviceTest, ARequestLargerThanALoopMayHaveUnderWayGoesAlone) {
  net::EventLoop loop;
  AlignedBuffer small(kPiece);
  AlignedBuffer large(kSize);
  std::promise<int> smallDone, largeDone;
  loop.post([&] {
    std::vector<IoRequest> requests;
    requests.push_back(readOf(1, small, [&](int error) { smallDone.set_value(error); }));
    requests.push_back({IoKind::kRead, 0, large.bytes().data(), static_cast<std::uint32_t>(kSize),
                        [&](int error) { largeDone.set_value(error); }});
    device_->submit(std::move(requests));
  });
  EXPECT_EQ(smallDone.get_future().get(), 0);
  EXPECT_EQ(largeDone.get_future().get(), 0);
  EXPECT_EQ(large.bytes()[5 * kPiece], numbered(5));
}

TEST_F(UringDeviceTest, AnAnswerOnALoopMayStartTheNextRequest) {
  net::EventLoop loop;
  AlignedBuffer buffer(kPiece);
  std::promise<void> done;
  std::size_t next = 0;
  std::function<void(int)> goOn = [&](int error) {
    EXPECT_EQ(error, 0);
    EXPECT_TRUE(isPiece(buffer, next));
    if (++next == kPieces) {
      return done.set_value();
    }
    std::vector<IoRequest> requests;
    requests.push_back(readOf(next, buffer, goOn));
    device_->submit(std::move(requests));
  };
  loop.post([&] {
    std::vector<IoRequest> requests;
    requests.push_back(readOf(0, buffer, goOn));
    device_->submit(std::move(requests));
  });
  done.get_future().wait();
}

TEST_F(UringDeviceTest, ALoopThatEndsAnswersFirst) {
  std::vector<AlignedBuffer> buffers = buffersForAll();
  std::atomic<std::size_t> answered = 0;
  {
    net::EventLoop loop;
    startAll(loop, buffers, [&](int) { ++answered; });
    loop.stop();
  }
  EXPECT_EQ(answered, kPieces);
}

TEST_F(UringDeviceTest, ADeviceThatEndsWaitsForTheLoops) {
  std::vector<AlignedBuffer> buffers = buffersForAll();
  std::atomic<std::size_t> answered = 0;
  net::EventLoop loop;
  std::promise<void> started;
  startAll(loop, buffers, [&](int) { ++answered; });
  loop.post([&] { started.set_value(); });
  started.get_future().wait();
  device_.reset();
  EXPECT_EQ(answered, kPieces);
}

TEST_F(UringDeviceTest, ALoopMayOutliveADeviceAndReadTheNextOne) {
  net::EventLoop loop;
  for (int generation = 0; generation < 3; ++generation) {
    AlignedBuffer buffer(kPiece);
    std::promise<int> done;
    loop.post([&] {
      std::vector<IoRequest> requests;
      requests.push_back(readOf(7, buffer, [&](int error) { done.set_value(error); }));
      device_->submit(std::move(requests));
    });
    EXPECT_EQ(done.get_future().get(), 0);
    EXPECT_TRUE(isPiece(buffer, 7));
    device_.reset();
    Result<FlashFile> file = FlashFile::open({directory_ / "cache", kSize});
    ASSERT_TRUE(file.ok()) << file.error().message;
    Result<std::unique_ptr<UringDevice>> device = UringDevice::open(*file, 8, {});
    ASSERT_TRUE(device.ok()) << device.error().message;
    device_ = *std::move(device);
  }
}

TEST_F(UringDeviceTest, ATransferThatComesShortOnALoopIsAnError) {
  ASSERT_EQ(::truncate((directory_ / "cache").c_str(), static_cast<off_t>(kSize / 2)), 0);
  net::EventLoop loop;
  AlignedBuffer buffer(kPiece);
  std::promise<int> done;
  loop.post([&] {
    std::vector<IoRequest> requests;
    requests.push_back(readOf(kPieces - 1, buffer, [&](int error) { done.set_value(error); }));
    device_->submit(std::move(requests));
  });
  EXPECT_EQ(done.get_future().get(), EIO);
}

/** Each piece belongs to one of the threads, half of which are loops; it writes and reads it at random. */
TEST_F(UringDeviceTest, LoopsAndOtherThreadsMayUseItSideBySide) {
  constexpr int kLoops = 2;
  constexpr int kRounds = 200;
  std::vector<std::unique_ptr<net::EventLoop>> loops(kLoops);
  std::vector<std::thread> threads;
  for (int worker = 0; worker < 2 * kLoops; ++worker) {
    if (worker < kLoops) {
      loops[static_cast<std::size_t>(worker)] = std::make_unique<net::EventLoop>();
    }
    threads.emplace_back([&, worker] {
      std::mt19937_64 random(static_cast<std::uint64_t>(worker));
      AlignedBuffer buffer(kPiece);
      for (int round = 0; round < kRounds; ++round) {
        const std::size_t piece = random() % (kPieces / 4) * 4 + static_cast<std::size_t>(worker);
        const bool isRead = random() % 2 == 0;
        std::fill(buffer.bytes().begin(), buffer.bytes().end(), isRead ? std::byte{0} : numbered(piece));
        std::promise<int> done;
        const auto start = [&] {
          std::vector<IoRequest> requests;
          requests.push_back({isRead ? IoKind::kRead : IoKind::kWrite, piece * kPiece, buffer.bytes().data(),
                              kPiece, [&](int error) { done.set_value(error); }});
          device_->submit(std::move(requests));
        };
        worker < kLoops ? loops[static_cast<std::size_t>(worker)]->post(start) : start();
        ASSERT_EQ(done.get_future().get(), 0);
        ASSERT_TRUE(isPiece(buffer, piece));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace
}  // namespace shift::node
