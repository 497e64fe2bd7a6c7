#include "gms/hive/Predicate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::gms {
namespace {

bool matches(const std::string& predicate, const PartitionKeys& keys) {
  const auto parsed = Predicate::parse(predicate);
  EXPECT_TRUE(parsed) << predicate << ": " << parsed.error().message;
  return parsed && parsed->matches(keys);
}

TEST(Predicate, ComparesDatesAsTextAndHoursAsNumbers) {
  const PartitionKeys keys{{"ds", "2026-10-09"}, {"hour", "03"}};
  EXPECT_TRUE(matches("ds>=2026-10-01", keys));
  EXPECT_TRUE(matches("ds >= '2026-10-01' and hour < 12", keys));
  EXPECT_TRUE(matches("hour=3", keys)) << "03 is 3";
  EXPECT_TRUE(matches("hour<=3 AND hour>2 and hour!=4", keys));
  EXPECT_FALSE(matches("hour>10", keys)) << "as text 03 would not be below 10 either, but 3 is not above 10";
  EXPECT_TRUE(matches("hour<10", {{"hour", "9"}})) << "as text 9 would come after 10";
  EXPECT_FALSE(matches("ds<2026-10-09", keys));
  EXPECT_TRUE(matches("ds>=2026", keys)) << "a prefix comes before what it begins";
}

TEST(Predicate, APartitionWithoutTheKeyDoesNotMatch) {
  EXPECT_FALSE(matches("region=eu", {{"ds", "1"}}));
  EXPECT_FALSE(matches("region!=eu", {{"ds", "1"}}));
}

TEST(Predicate, SaysWhereItIsWrong) {
  for (const char* wrong : {"", "and", "ds", "ds=", "ds=='1'", "ds=1 or hour=2", "ds=1 and", "ds='1", "=1",
                            "ds=1 x", "ds=1 and and hour=2", "ds><1"}) {
    const auto parsed = Predicate::parse(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_THAT(parsed.error().message, testing::HasSubstr("at character")) << wrong;
  }
  EXPECT_FALSE(Predicate::parse(std::string(100'000, 'x')));
}

}  // namespace
}  // namespace shift::gms
