#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using namespace std::chrono_literals;

constexpr int kFiles = 6;
constexpr std::size_t kFileSize = 3'000'000;
constexpr int kReaders = 4;

/** The content of a file says which file and which generation it is. */
std::string contentOf(int file, unsigned generation) {
  std::string content = test::patternedBytes(kFileSize, static_cast<unsigned>(file) * 1000 + generation);
  std::string label = std::to_string(file) + ' ' + std::to_string(generation) + ' ';
  return content.replace(0, label.size(), label);
}

/** Contents are asked for again and again by all readers. */
class Library {
 public:
  std::shared_ptr<const std::string> get(int file, unsigned generation) {
    std::lock_guard lock(mutex_);
    auto& held = held_[{file, generation}];
    if (held == nullptr) {
      held = std::make_shared<const std::string>(contentOf(file, generation));
    }
    return held;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<int, unsigned>, std::shared_ptr<const std::string>> held_;
};

/**
 * Readers that compare every byte, while the cluster around them is broken and mended step by step. A step
 * begins when the readers have come far enough, not when time has passed.
 */
class ChaosTest : public test::ClusterFixture {
 protected:
  void SetUp() override {
    for (int file = 0; file < kFiles; ++file) {
      replaceFile(file);
    }
    startCluster(3, {"cache.dram=4MiB"});
    client::ClientConfig config = clientConfig();
    config.getDeadline = 300ms;
    config.connectTimeout = 300ms;
    config.breakerPause = 20ms;
    config.breakerMaxPause = 100ms;
    config.hedgeShare = 0.05;
    config.hedgeAfter = 20ms;
    config.refresh = 20ms;
    auto client = client::Client::create(config);
    ASSERT_TRUE(client) << client.error().message;
    client_ = *std::move(client);
  }

  /** As whoever publishes data does: written aside, then put in place. */
  void replaceFile(int file) {
    const unsigned next = generations_[static_cast<std::size_t>(file)] + 1;
    const std::string fresh = directory_.write("store/t/fresh", contentOf(file, next));
    std::filesystem::rename(fresh, directory_ / ("store/t/" + std::to_string(file)));
    generations_[static_cast<std::size_t>(file)] = next;
  }

  void startReaders(std::uint64_t target) {
    target_ = target;
    for (unsigned seed = 0; seed < kReaders; ++seed) {
      readers_.emplace_back([this, seed] { readUntilDone(seed); });
    }
  }

  void readUntilDone(unsigned seed) {
    std::mt19937_64 random(seed);
    while (reads_ < target_ && failure().empty()) {
      const int file = static_cast<int>(random() % kFiles);
      const std::string path = "t/" + std::to_string(file);
      const unsigned before = generations_[static_cast<std::size_t>(file)];
      const Result<client::Handle> handle = client_->open(path, {.job = "reader"});
      const unsigned after = generations_[static_cast<std::size_t>(file)] + 1;  // may be in place already
      if (!handle) {
        return fail(path + ": " + handle.error().message);
      }
      std::string label(16, '?');
      (void)client_->pread(*handle, std::as_writable_bytes(std::span(label)), 0);
      const auto generation = static_cast<unsigned>(std::atoi(label.c_str() + label.find(' ')));
      if (generation < before || generation > after) {
        return fail(path + ": generation " + label + ", not " + std::to_string(before));
      }
      readFile(*handle, *library_.get(file, generation), random);
      (void)client_->close(*handle);
    }
  }

  /** Some hundred reads of all sizes: most are small, some cross blocks, some the end; some are sequential.
   */
  void readFile(client::Handle handle, const std::string& content, std::mt19937_64& random) {
    std::string buffer(2'000'000, '?');
    std::uint64_t offset = 0;
    for (int i = 0; i < 200; ++i) {
      const bool isLarge = random() % 100 == 0;
      const std::size_t size = random() % (isLarge ? 2'000'000 : 6'000);
      offset = random() % 4 == 0 ? offset : random() % (kFileSize + 1000);
      const auto into = std::as_writable_bytes(std::span(buffer)).first(size);
      const Result<std::size_t> got = client_->pread(handle, into, offset);
      if (!got) {
        return fail("pread: " + got.error().message);
      }
      const std::size_t there = content.size() - std::min<std::uint64_t>(offset, content.size());
      if (*got != std::min(size, there)) {
        return fail("a pread was short, though not at the end");
      }
      if (*got > 0 && content.compare(offset, *got, buffer, 0, *got) != 0) {
        return fail("wrong bytes at " + std::to_string(offset));
      }
      offset += *got;
      ++reads_;
    }
    progress_.notify_all();
  }

  void fail(const std::string& what) {
    std::lock_guard lock(mutex_);
    failure_ = failure_.empty() ? what : failure_;
    progress_.notify_all();
  }
  std::string failure() {
    std::lock_guard lock(mutex_);
    return failure_;
  }

  /** Until the readers have read so much more, or are done. */
  void letThemRead(std::uint64_t more) {
    const std::uint64_t until = std::min<std::uint64_t>(reads_ + more, target_);
    std::unique_lock lock(mutex_);
    progress_.wait(lock, [&] { return reads_ >= until || !failure_.empty(); });
  }
  bool isDone() { return reads_ >= target_ || !failure().empty(); }

  void join() {
    for (std::thread& reader : readers_) {
      reader.join();
    }
    readers_.clear();
    EXPECT_EQ(failure(), "");
  }
  void TearDown() override {
    if (!readers_.empty()) {
      fail("the test gave up");
      join();
    }
  }

  std::array<std::atomic<unsigned>, kFiles> generations_{};
  Library library_;
  std::unique_ptr<client::Client> client_;
  std::atomic<std::uint64_t> reads_{0};
  std::uint64_t target_ = 0;
  std::mutex mutex_;
  std::condition_variable progress_;
  std::string failure_;
  std::vector<std::thread> readers_;
};

TEST_F(ChaosTest, NoReadFailsAndNoByteIsWrongWhateverHappensToTheNodes) {
  startReaders(SHIFT_CHAOS_READS);
  const std::uint64_t step = SHIFT_CHAOS_READS / 60;
  std::mt19937 random(7);
  ASSERT_TRUE(cluster_->addNode());
  for (int round = 0; !isDone(); ++round) {
    const std::size_t victim = static_cast<std::size_t>(round) % 3;
    replaceFile(static_cast<int>(random() % kFiles));
    switch (round % 4) {
      case 0:
        cluster_->node(victim).signal(SIGKILL);
        letThemRead(step);
        (void)cluster_->node(victim).wait(30s);
        if (const Status restarted = cluster_->restartNode(victim); !restarted) {
          FAIL() << restarted.error().message;
        }
        break;
      case 1:
        cluster_->node(victim).signal(SIGSTOP);
        letThemRead(step);
        cluster_->node(victim).signal(SIGCONT);
        break;
      case 2:
        ASSERT_TRUE(cluster_->setInRing(3, false));
        letThemRead(step);
        ASSERT_TRUE(cluster_->setInRing(3, true));
        break;
      default:
        cluster_->node(victim).signal(SIGTERM);
        EXPECT_EQ(cluster_->node(victim).wait(30s), 0) << "drained under load";
        letThemRead(step);
        ASSERT_TRUE(cluster_->restartNode(victim));
    }
    letThemRead(step / 2);
  }
  join();
  const client::ClientStats stats = client_->stats();
  EXPECT_GE(reads_, static_cast<std::uint64_t>(SHIFT_CHAOS_READS));
  EXPECT_GT(stats.bytesFromNodes, stats.bytesFromBackingStore) << "the tier was of use all the same";
  EXPECT_EQ(stats.checksumMismatches, 0u);
}

TEST_F(ChaosTest, NorWhenAllNodesAreGone) {
  startReaders(SHIFT_CHAOS_READS / 20);
  letThemRead(SHIFT_CHAOS_READS / 80);
  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    cluster_->node(i).signal(SIGKILL);
  }
  letThemRead(SHIFT_CHAOS_READS / 80);
  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    (void)cluster_->node(i).wait(30s);
    ASSERT_TRUE(cluster_->restartNode(i));
  }
  join();
}

}  // namespace
}  // namespace shift
