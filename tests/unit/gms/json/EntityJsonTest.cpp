#include "gms/json/EntityJson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace shift::gms {
namespace {

using nlohmann::json;

/** Read, written and read again: nothing is lost. */
template <typename Entity>
Entity thereAndBack(Entity (*read)(const json&, Faults&), const char* text) {
  Faults faults;
  const Entity first = read(json::parse(text), faults);
  const Entity second = read(toJson(first), faults);
  EXPECT_TRUE(faults.empty()) << faults.front();
  EXPECT_EQ(first, second);
  return first;
}

TEST(EntityJson, TablesRulesMembersAndParametersGoThereAndBack) {
  EXPECT_TRUE(
      thereAndBack(&tableFromJson, R"({"name": "t", "store": "s", "root": "db/t", "onboarded": true})")
          .onboarded);
  const auto rule =
      thereAndBack(&ruleFromJson, R"({"id": "r", "order": 3, "path_prefix": "s:db/t", "table": "t",
      "tag": "pilot", "class": "ml-training", "action": "bypass", "percentage": 12.5, "comment": "why"})");
  EXPECT_EQ(rule.action, wire::RuleAction::BYPASS);
  EXPECT_EQ(rule.percentage, 12.5);
  EXPECT_FALSE(thereAndBack(&ruleFromJson, R"({"id": "r", "action": "cache"})").__isset.jobClass);
  const auto member =
      thereAndBack(&memberFromJson, R"({"id": "n", "address": "h:1", "weight": 2, "state": "down"})");
  EXPECT_EQ(member.state, wire::MemberState::DOWN);
  EXPECT_EQ(thereAndBack(&parameterFromJson, R"({"node": "", "name": "a.b", "value": "7"})").value, "7");
}

TEST(EntityJson, NamesEveryFault) {
  Faults faults;
  ruleFromJson(
      json::parse(R"({"id": 1, "order": 99999999999, "action": "maybe", "percentage": "all", "x": 0})"),
      faults);
  EXPECT_EQ(faults.size(), 5u);
}

}  // namespace
}  // namespace shift::gms
