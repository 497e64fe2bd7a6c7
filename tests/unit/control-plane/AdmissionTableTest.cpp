#include "control-plane/AdmissionTable.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <unordered_map>

#include "control-plane/Hash.h"

namespace shift::control {
namespace {

constexpr BucketPolicy kAdmit{.admit = true, .reinsert = false};
constexpr BucketPolicy kBoth{.admit = true, .reinsert = true};
constexpr BucketPolicy kNeither{};

TEST(AdmissionTable, FindsWhatWasAssigned) {
  AdmissionTable table;
  const std::vector<AdmissionTable::Entry> entries = {{8, kAdmit}, {16, kBoth}, {24, kNeither}};
  table.update(entries, {});
  EXPECT_EQ(table.find(8, kNeither), kAdmit);
  EXPECT_EQ(table.find(16, kNeither), kBoth);
  EXPECT_EQ(table.find(24, kBoth), kNeither);
  EXPECT_EQ(table.find(32, kBoth), kBoth);
  EXPECT_EQ(table.size(), 3U);
}

TEST(AdmissionTable, ForgetsAndRemembersAgain) {
  AdmissionTable table;
  const AdmissionTable::Entry entry{8, kAdmit};
  const BucketId bucket = 8;
  table.update({&entry, 1}, {});
  table.update({}, {&bucket, 1});
  EXPECT_EQ(table.find(8, kNeither), kNeither);
  EXPECT_EQ(table.size(), 0U);
  table.update({&entry, 1}, {});
  EXPECT_EQ(table.find(8, kNeither), kAdmit);
}

TEST(AdmissionTable, AgreesWithAMapHoweverItGrows) {
  AdmissionTable table;
  std::unordered_map<BucketId, BucketPolicy> model;
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
      entries.push_back(
          {spreadBits(random() % 6000), {.admit = random() % 2 == 0, .reinsert = random() % 3 == 0}});
    }
    table.update(entries, forgotten);
    for (const BucketId bucket : forgotten) {
      model.erase(bucket);
    }
    for (const AdmissionTable::Entry& entry : entries) {
      model[entry.bucket] = entry.policy;
    }
  }
  EXPECT_EQ(table.size(), model.size());
  for (std::uint64_t i = 0; i < 6000; ++i) {
    const auto expected = model.find(spreadBits(i));
    ASSERT_EQ(table.find(spreadBits(i), kBoth), expected == model.end() ? kBoth : expected->second);
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
          const BucketPolicy found = table.find(spreadBits(i), kNeither);
          // Never half of a change: the two always go together here.
          ASSERT_EQ(found.admit, found.reinsert);
        }
      }
    });
  }
  for (std::uint64_t round = 0; round < 200; ++round) {
    std::vector<AdmissionTable::Entry> entries;
    for (std::uint64_t i = 0; i < 20 * round; ++i) {
      entries.push_back({spreadBits(i), (i + round) % 2 == 0 ? kBoth : kNeither});
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
