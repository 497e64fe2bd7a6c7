#include "client-lib/Eligibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client-lib/PastCache.h"

namespace shift::client {
namespace {

using testing::HasSubstr;

EligibilityVerdict decide(const Eligibility& rules, std::string_view path, std::string_view tag = "",
                          JobClass jobClass = JobClass::kMlTraining) {
  return rules.decide({.store = "s", .path = path, .tag = tag, .jobClass = jobClass});
}

TEST(Eligibility, WithoutRulesEverythingGoesThroughTheCache) {
  EXPECT_TRUE(decide({}, "a/b").eligible);
}

TEST(Eligibility, TheFirstRuleThatMatchesDecides) {
  const Eligibility rules({{.id = "b", .order = 2, .cache = false},
                           {.id = "a", .order = 2, .pathPrefix = "s:clicks"},
                           {.id = "c", .order = 1, .pathPrefix = "s:clicks/old", .cache = false}},
                          {}, {});
  EXPECT_TRUE(decide(rules, "clicks/f").eligible);
  EXPECT_FALSE(decide(rules, "clicks/old/f").eligible);
  EXPECT_FALSE(decide(rules, "clicksother/f").eligible) << "a directory is no prefix of a name";
  EXPECT_THAT(decide(rules, "clicks/old/f").reason, HasSubstr("\"c\""));
}

TEST(Eligibility, AllThatARuleNamesMustMatch) {
  const Eligibility rules(
      {{.id = "r", .table = "clicks", .tag = "night", .jobClass = JobClass::kOther, .cache = false}},
      {{.name = "clicks", .root = "s:w/clicks"}}, {});
  EXPECT_FALSE(decide(rules, "w/clicks/f", "night", JobClass::kOther).eligible);
  EXPECT_TRUE(decide(rules, "w/views/f", "night", JobClass::kOther).eligible);
  EXPECT_TRUE(decide(rules, "w/clicks/f", "day", JobClass::kOther).eligible);
  EXPECT_TRUE(decide(rules, "w/clicks/f", "night", JobClass::kMlTraining).eligible);
}

TEST(Eligibility, APercentageTakesThatShareOfTheFilesAndKeepsThemAsItGrows) {
  int taken = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string path = "t/f" + std::to_string(i);
    const auto isTaken = [&](double percentage) {
      return !decide(Eligibility({{.id = "r", .cache = false, .percentage = percentage}}, {}, {}), path)
                  .eligible;
    };
    taken += isTaken(10) ? 1 : 0;
    ASSERT_TRUE(!isTaken(10) || isTaken(30)) << path;
    ASSERT_FALSE(isTaken(0));
    ASSERT_TRUE(isTaken(100));
  }
  EXPECT_NEAR(taken, 1000, 120);
}

TEST(Eligibility, ATableThatIsNotOnboardedGoesPast) {
  const Eligibility rules(
      {{.id = "pilot", .tag = "pilot"}},
      {{.name = "all", .root = "s:w"}, {.name = "clicks", .root = "s:w/clicks", .onboarded = false}}, {});
  EXPECT_FALSE(decide(rules, "w/clicks/f").eligible);
  EXPECT_EQ(decide(rules, "w/clicks/f").table, "clicks") << "the longest root that holds it";
  EXPECT_THAT(decide(rules, "w/clicks/f").reason, HasSubstr("not onboarded"));
  EXPECT_TRUE(decide(rules, "w/clicks/f", "pilot").eligible) << "a rule goes before that";
  EXPECT_TRUE(decide(rules, "w/views/f").eligible);
}

TEST(Eligibility, ATableWhoseDisksSufficeIsLeftToThem) {
  const DiskFleet disks{.diskBytes = 10'000, .diskBytesPerSecond = 50, .copies = 1.5};
  TableInfo table{.name = "t", .root = "s:t", .storedBytes = 20'000};  // three disks, 150 bytes a second
  table.demandBytesPerSecond = 150;
  EXPECT_TRUE(disksSuffice(table, disks));
  EXPECT_FALSE(decide(Eligibility({}, {table}, disks), "t/f").eligible);
  EXPECT_TRUE(decide(Eligibility({}, {table}, {}), "t/f").eligible) << "the heuristic is off";
  table.demandBytesPerSecond = 151;
  EXPECT_FALSE(disksSuffice(table, disks));
  EXPECT_TRUE(decide(Eligibility({}, {table}, disks), "t/f").eligible);
  table.storedBytes = 0;
  EXPECT_FALSE(disksSuffice(table, disks)) << "of a table of unknown size nothing follows";
}

TEST(PastCache, SumsByTableAndTellsDirectoriesOnce) {
  PastCache past;
  past.add("clicks", "s:w/clicks/1", 10);
  past.add("clicks", "s:w/clicks/2", 5);
  EXPECT_EQ(past.byTable(), (PastCache::ByTable{{"clicks", 15}}));
  EXPECT_EQ(past.takeByDirectory(), (PastCache::ByTable{{"s:w/clicks/1", 10}, {"s:w/clicks/2", 5}}));
  EXPECT_TRUE(past.takeByDirectory().empty());
  EXPECT_EQ(past.byTable().at("clicks"), 15u);
  for (int i = 0; i < 2000; ++i) {
    past.add("t" + std::to_string(i), "s:d", 1);
  }
  EXPECT_EQ(past.byTable().size(), 1001u);
  EXPECT_EQ(past.byTable().at(PastCache::kOthers), 1001u);
}

}  // namespace
}  // namespace shift::client
