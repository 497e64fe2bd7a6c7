#include "client-lib/RuleFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/TemporaryDirectory.h"

namespace shift::client {
namespace {

using testing::HasSubstr;

class RuleFileTest : public testing::Test {
 protected:
  Result<Eligibility> read(const std::string& toml) {
    return readRuleFile(directory_.write("rules.toml", toml));
  }

  test::TemporaryDirectory directory_;
};

TEST_F(RuleFileTest, ReadsRulesTablesAndDisks) {
  const Result<Eligibility> rules = read(R"(
[[rule]]
id = "old"
order = -1
path = "s:clicks/old"
action = "bypass"
comment = "read once a year"
[[rule]]
id = "others"
job_class = "other"
action = "bypass"
percentage = 100.0
[[table]]
name = "views"
root = "s:views"
stored = "20kB"
demand = "100B"
[disks]
size = "10kB"
rate = "50B"
)");
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_FALSE(rules->decide({.store = "s", .path = "clicks/old/f"}).eligible);
  EXPECT_TRUE(rules->decide({.store = "s", .path = "clicks/f"}).eligible);
  EXPECT_FALSE(rules->decide({.store = "s", .path = "f", .jobClass = JobClass::kOther}).eligible);
  EXPECT_FALSE(rules->decide({.store = "s", .path = "views/f"}).eligible);
}

TEST_F(RuleFileTest, NamesEveryFaultWithItsLine) {
  const Result<Eligibility> rules = read(R"([[rule]]
id = "a"
action = "perhaps"
percentage = 101
[[rule]]
id = "a"
action = "cache"
path = "clicks"
colour = "red"
[[table]]
root = 7
[disks]
size = "ten"
[other]
)");
  ASSERT_FALSE(rules);
  for (const char* part :
       {":1: action must be", ":1: percentage", ":5: the id \"a\" is used twice", ":5: path must name",
        ":9: unknown key \"colour\"", ":10: a table needs a name", ":11: root must be text",
        ":12: size:", ":12: [disks] needs", ":14: unknown key \"other\""}) {
    EXPECT_THAT(rules.error().message, HasSubstr(part));
  }
}

TEST_F(RuleFileTest, SaysWhereTheFileIsNoToml) {
  EXPECT_THAT(read("[[rule]]\nid = ").error().message, HasSubstr("rules.toml:2:"));
  EXPECT_FALSE(readRuleFile(directory_ / "absent"));
}

}  // namespace
}  // namespace shift::client
