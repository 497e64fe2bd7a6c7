#include "control-plane/AdmissionTable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <thread>
#include <unordered_map>

#include "control-plane/Hash.h"

namespace shift::control {
namespace {

constexpr double kUnknown = 7;

TEST(AdmissionTable, FindsWhatWasAssigned) {
  AdmissionTable table;
  const std::vector<AdmissionTable::Entry> entries = {{8, 1.5}, {0, 3}, {24, 0}};
  table.update(entries, {});
  EXPECT_EQ(table.find(8, kUnknown), 1.5);
  EXPECT_EQ(table.find(0, kUnknown), 3);
  EXPECT_EQ(table.find(24, kUnknown), 0);
  EXPECT_EQ(table.find(32, kUnknown), kUnknown);
  EXPECT_EQ(table.size(), 3U);
}

TEST(AdmissionTable, ForgetsAndRemembersAgain) {
  AdmissionTable table;
  const AdmissionTable::Entry entry{8, 2};
  const BucketId bucket = 8;
  table.update({&entry, 1}, {});
  table.update({}, {&bucket, 1});
  EXPECT_EQ(table.find(8, kUnknown), kUnknown);
  EXPECT_EQ(table.size(), 0U);
  table.update({&entry, 1}, {});
  EXPECT_EQ(table.find(8, kUnknown), 2);
}

TEST(AdmissionTable, AgreesWithAMapHoweverItGrows) {
  AdmissionTable table;
  std::unordered_map<BucketId, double> model;
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<AdmissionTable::Entry> entries;
    std::vector<BucketId> forgotten;
    for (int i = 0; i < 100; ++i) {
      const BucketId bucket = spreadBits(random() % 6000);
      if (random() % 4 == 0) {
        forgotten.push_back(bucket);
      }
    }
    for (int i = 0; i < 100; ++i) {
      entries.push_back({spreadBits(random() % 6000), static_cast<double>(random() % 5)});
    }
    table.update(entries, forgotten);
    for (const BucketId bucket : forgotten) {
      model.erase(bucket);
    }
    for (const AdmissionTable::Entry& entry : entries) {
      model[entry.bucket] = entry.priority;
    }
  }
  EXPECT_EQ(table.size(), model.size());
  for (std::uint64_t i = 0; i < 6000; ++i) {
    const auto expected = model.find(spreadBits(i));
    ASSERT_EQ(table.find(spreadBits(i), kUnknown), expected == model.end() ? kUnknown : expected->second);
  }
}

TEST(AdmissionTable, IsReadWhileItChanges) {
  AdmissionTable table;
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t) {
    readers.emplace_back([&] {
      while (!done) {
        for (std::uint64_t i = 0; i < 500; ++i) {
          const double found = table.find(spreadBits(i), kUnknown);
          // What this bucket once had, or nothing; never another's.
          ASSERT_TRUE(found == kUnknown || std::fmod(found, 500) == static_cast<double>(i)) << found;
        }
      }
    });
  }
  for (std::uint64_t round = 0; round < 200; ++round) {
    std::vector<AdmissionTable::Entry> entries;
    for (std::uint64_t i = 0; i < 20 * round; ++i) {
      entries.push_back({spreadBits(i), static_cast<double>(i + 500 * 20 * round)});
    }
    table.update(entries, {});
  }
  done = true;
  for (std::thread& reader : readers) {
    reader.join();
  }
}

}  // namespace
}  // namespace shift::control
