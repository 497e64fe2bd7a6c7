#include "backing-store/DiskModel.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace shift::store {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{};

/** Round numbers: 10 ms a seek and 100 bytes a millisecond. */
DiskConfig disksOf(std::uint32_t disks) {
  return {.disks = disks, .seek = 10ms, .bytesPerSecond = 100'000};
}

TEST(DiskModel, AReadCostsASeekAndItsTransfer) {
  DiskModel model(disksOf(1));
  const DiskBooking read = model.book(kStart + 5ms, 0, 500);
  EXPECT_EQ(read.begin, kStart + 5ms);
  EXPECT_EQ(read.end, kStart + 20ms);
}

TEST(DiskModel, TheDefaultsAreThoseOfTheDiskHeadFormula) {
  EXPECT_EQ(DiskConfig{}.serviceTime(0), 11'500us);
  EXPECT_EQ(DiskConfig{}.serviceTime(143'000'000), 1'011'500us);
}

TEST(DiskModel, ReadsOfOneDiskWaitForEachOther) {
  DiskModel model(disksOf(1));
  EXPECT_EQ(model.book(kStart, 0, 0).end, kStart + 10ms);
  EXPECT_EQ(model.book(kStart + 1ms, 0, 0).end, kStart + 20ms);
  EXPECT_EQ(model.book(kStart + 2ms, 0, 0).end, kStart + 30ms);
  EXPECT_EQ(model.book(kStart + 95ms, 0, 0).end, kStart + 105ms) << "it was idle by then";
}

TEST(DiskModel, ReadsOfDifferentDisksDoNot) {
  DiskModel model(disksOf(2));
  EXPECT_EQ(model.book(kStart, 0, 0).end, kStart + 10ms);
  EXPECT_EQ(model.book(kStart, 1, 0).end, kStart + 10ms);
}

TEST(DiskModel, AReadRightAfterItsNeighbourPaysItsSeekToo) {
  DiskModel model(disksOf(1));
  model.book(kStart, 0, 500);
  EXPECT_EQ(model.book(kStart, 0, 500).end, kStart + 30ms);
}

/** Random reads over some disks, told disk by disk. */
class DiskModelProperty : public testing::TestWithParam<std::uint32_t> {
 protected:
  struct Read {
    TimePoint arrival;
    std::uint64_t bytes;
    DiskBooking booking;
  };

  std::map<std::uint32_t, std::vector<Read>> bookAtRandom(const DiskConfig& config, int reads) {
    std::mt19937 random(GetParam());
    std::uniform_int_distribution<std::uint32_t> disk(0, config.disks - 1);
    std::uniform_int_distribution<std::uint64_t> bytes(0, 5000);
    // From overload to idleness, from seed to seed.
    std::exponential_distribution<double> pause(1.0 / (1 + GetParam() % 20));
    DiskModel model(config);
    TimePoint now = kStart;
    std::map<std::uint32_t, std::vector<Read>> byDisk;
    for (int i = 0; i < reads; ++i) {
      now += std::chrono::microseconds(static_cast<std::int64_t>(1000 * pause(random)));
      const std::uint32_t on = disk(random);
      const std::uint64_t size = bytes(random);
      byDisk[on].push_back({now, size, model.book(now, on, size)});
    }
    return byDisk;
  }
};

TEST_P(DiskModelProperty, EachDiskServesInOrderAndRestsOnlyWhenItHasNothingToDo) {
  const DiskConfig config = disksOf(1 + GetParam() % 7);
  for (const auto& [disk, reads] : bookAtRandom(config, 2000)) {
    Duration busy{0};
    Duration idle{0};
    TimePoint freeAt = kStart;
    for (const Read& read : reads) {
      EXPECT_GE(read.booking.begin, freeAt) << "one read at a time, first come first served";
      EXPECT_GE(read.booking.begin, read.arrival);
      if (read.booking.begin > freeAt) {
        EXPECT_EQ(read.booking.begin, read.arrival) << "idle although a read was waiting";
        idle += read.booking.begin - freeAt;
      }
      busy += config.serviceTime(read.bytes);
      freeAt = read.booking.end;
    }
    EXPECT_EQ(freeAt - kStart, busy + idle) << "busy for exactly the sum of the service times";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DiskModelProperty, testing::Range(1u, 41u));

}  // namespace
}  // namespace shift::store
