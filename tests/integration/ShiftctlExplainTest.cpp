#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/ShiftctlFixture.h"

namespace shift {
namespace {

using testing::HasSubstr;

class ShiftctlExplainTest : public test::ShiftctlFixture {};

TEST_F(ShiftctlExplainTest, TellsWhereABlockLivesWhetherItIsCachedAndWhy) {
  const std::string content = addFile("t/ds=1/part-0", 3 << 20, 1);
  startTier(3, {"policy.name=historic"});
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "t/ds=1/part-0", 1 << 20, "a"), content);
  const auto refused = ctlJson({"explain", "t/ds=1/part-0", "--offset", "1MiB", "--job", "b"});
  EXPECT_EQ(refused["admit"], false);
  EXPECT_EQ(refused["reason"], "below-threshold");
  EXPECT_EQ(refused["bucket"], "warehouse:t/ds=1");
  EXPECT_EQ(refused["block_index"], 1);
  EXPECT_EQ(refused["cached_bytes"], 0);
  EXPECT_EQ(refused["eligible"], true);
  EXPECT_THAT(refused["remedy"].get<std::string>(), HasSubstr("would be admitted if"));

  ASSERT_EQ(ctl({"params", "set", "policy.name=admit-all"}).code, 0);
  EXPECT_EQ(readWhole(*client, "t/ds=1/part-0", 1 << 20, "a"), content);
  const auto cached = ctlJson({"explain", "warehouse:t/ds=1/part-0", "--offset", "1MiB"});
  EXPECT_EQ(cached["cached_bytes"], 1 << 20) << "asked of the node that owns it";
  EXPECT_EQ(cached["admit"], true);
  const Outcome words = ctl({"explain", "t/ds=1/part-0"});
  EXPECT_EQ(words.code, 0);
  EXPECT_THAT(words.printed, HasSubstr("(one of 3 on the ring)"));
  EXPECT_THAT(words.printed, HasSubstr("a miss would be admitted"));

  ASSERT_EQ(ctl({"rules", "put", "r", "--action", "bypass", "--prefix", "warehouse:t"}).code, 0);
  EXPECT_EQ(ctlJson({"explain", "t/ds=1/part-0"})["eligible"], false);
  const Outcome absent = ctl({"explain", "no/such/file"});
  EXPECT_NE(absent.code, 0);
  EXPECT_THAT(absent.said, HasSubstr("no/such/file"));
  EXPECT_EQ(ctl({"explain", "t/ds=1/part-0", "--offset", "1GiB"}).code, 2);
}

}  // namespace
}  // namespace shift
