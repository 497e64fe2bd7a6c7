#include "backing-store/DiskQueues.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <vector>

#include "common/TemporaryDirectory.h"

namespace shift::store {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr TimePoint kNow{100s};

class DiskQueuesTest : public testing::Test {
 protected:
  DiskQueues share(std::uint32_t disks) {
    Result<DiskQueues> queues = DiskQueues::shared(file_, disks);
    EXPECT_TRUE(queues) << queues.error().message;
    return *std::move(queues);
  }

  const TemporaryDirectory directory_{"disk-queues"};
  const std::string file_ = directory_ / "queues";
};

TEST_F(DiskQueuesTest, ThoseWhoShareAFileWaitForEachOther) {
  DiskQueues one = share(2);
  DiskQueues other = share(2);
  EXPECT_EQ(one.book(0, kNow, 10ms).end, kNow + 10ms);
  EXPECT_EQ(other.book(0, kNow, 10ms).end, kNow + 20ms);
  EXPECT_EQ(one.book(0, kNow, 10ms).end, kNow + 30ms);
  EXPECT_EQ(other.book(1, kNow, 10ms).end, kNow + 10ms) << "the other disk was idle";
}

TEST_F(DiskQueuesTest, ThoseWhoDoNotShareDoNotWait) {
  DiskQueues one(1);
  DiskQueues other(1);
  EXPECT_EQ(one.book(0, kNow, 10ms).end, kNow + 10ms);
  EXPECT_EQ(other.book(0, kNow, 10ms).end, kNow + 10ms);
}

TEST_F(DiskQueuesTest, NoTimeIsBookedTwiceHoweverManyBookAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kReads = 5000;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this] {
        DiskQueues mine = share(1);
        for (int read = 0; read < kReads; ++read) {
          mine.book(0, kNow, 1ms);
        }
      });
    }
  }
  EXPECT_EQ(share(1).book(0, kNow, 0ms).end, kNow + kThreads * kReads * 1ms);
}

TEST_F(DiskQueuesTest, AnotherNumberOfDisksIsRefused) {
  share(2);
  const Result<DiskQueues> queues = DiskQueues::shared(file_, 3);
  ASSERT_FALSE(queues);
  EXPECT_EQ(queues.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(queues.error().message, HasSubstr("is of 2 disks, not of 3"));
}

TEST_F(DiskQueuesTest, AFileOfSomethingElseIsLeftAlone) {
  std::ofstream(file_) << "somebody's notes";
  const Result<DiskQueues> queues = DiskQueues::shared(file_, 1);
  ASSERT_FALSE(queues);
  EXPECT_THAT(queues.error().message, HasSubstr("holds no queues of disks"));
  std::string left;
  std::getline(std::ifstream(file_), left);
  EXPECT_EQ(left, "somebody's notes");
}

TEST_F(DiskQueuesTest, AFileThatCannotBeOpenedIsNamed) {
  const Result<DiskQueues> queues = DiskQueues::shared(directory_ / "absent/queues", 1);
  ASSERT_FALSE(queues);
  EXPECT_THAT(queues.error().message, HasSubstr("absent/queues"));
}

}  // namespace
}  // namespace shift::store
