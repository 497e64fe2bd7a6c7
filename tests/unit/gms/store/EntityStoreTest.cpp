#include "gms/store/EntityStore.h"

#include <nlohmann/json.hpp>

#include "tests/unit/gms/store/StoreFixture.h"

namespace shift::gms {
namespace {

using testing::HasSubstr;

class EntityStoreTest : public StoreFixture {
 protected:
  static wire::RingMember member(const std::string& id, const std::string& address) {
    wire::RingMember member;
    member.__set_id(id);
    member.__set_address(address);
    return member;
  }

  std::vector<wire::AuditEntry> auditOf(const std::string& kind, const std::string& key) {
    wire::AuditQuery query;
    query.__set_kind(kind);
    query.__set_key(key);
    return *stores_->audit.list(query);
  }
};
SHIFT_ON_BOTH_DATABASES(EntityStoreTest);

TEST_P(EntityStoreTest, PutsReplacesAndDeletes) {
  ASSERT_TRUE(stores_->members.put(member("n1", "a:1"), by("ann")));
  ASSERT_TRUE(stores_->members.put(member("n1", "b:2"), by("bob")));
  EXPECT_EQ(stores_->members.get("n1")->address, "b:2");
  EXPECT_EQ(stores_->members.list()->size(), 1u);
  ASSERT_TRUE(stores_->members.remove("n1", by("cid")));
  EXPECT_EQ(stores_->members.get("n1").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(stores_->members.remove("n1", by("cid")).error().code, ErrorCode::kNotFound);
}

TEST_P(EntityStoreTest, PuttingTheSameAgainChangesNothing) {
  const auto first = stores_->members.put(member("n1", "a:1"), by("ann"));
  const auto second = stores_->members.put(member("n1", "a:1"), by("ann"));
  EXPECT_EQ(first->revision, second->revision);
  EXPECT_EQ(first->epoch, second->epoch);
  EXPECT_EQ(auditOf("member", "n1").size(), 1u);
}

TEST_P(EntityStoreTest, TheAuditLogSaysWhoChangedWhatFromWhatToWhat) {
  ASSERT_TRUE(stores_->members.put(member("n1", "a:1"), by("ann")));
  ASSERT_TRUE(stores_->members.put(member("n1", "b:2"), by("bob")));
  ASSERT_TRUE(stores_->members.remove("n1", by("")));
  const std::vector<wire::AuditEntry> entries = auditOf("member", "n1");
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[2].action, "create");
  EXPECT_EQ(entries[2].actor, "ann");
  EXPECT_EQ(entries[1].action, "change");
  EXPECT_EQ(entries[1].actor, "bob");
  const auto before = nlohmann::json::parse(entries[1].before);
  const auto after = nlohmann::json::parse(entries[1].after);
  EXPECT_EQ(before.at("address"), "a:1");
  EXPECT_EQ(after.at("address"), "b:2");
  EXPECT_FALSE(after.contains("weight")) << "what stayed is not in it";
  EXPECT_EQ(entries[0].action, "delete");
  EXPECT_EQ(entries[0].actor, "unknown");
}

TEST_P(EntityStoreTest, TheAuditLogIsReadBackInPages) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(stores_->members.put(member("n1", "a:" + std::to_string(i + 1)), by("ann")));
  }
  wire::AuditQuery query;
  query.__set_limit(2);
  const auto newest = *stores_->audit.list(query);
  ASSERT_EQ(newest.size(), 2u);
  query.__set_beforeRevision(newest.back().revision);
  EXPECT_EQ(stores_->audit.list(query)->front().revision, newest.back().revision - 1);
  query.__set_limit(0);
  EXPECT_FALSE(stores_->audit.list(query));
}

TEST_P(EntityStoreTest, RefusesWhatMakesNoSenseWithEveryFault) {
  wire::RingMember bad = member("", "nowhere");
  bad.__set_weight(-1);
  const auto refused = stores_->members.put(bad, by("ann"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              testing::AllOf(HasSubstr("id is missing"), HasSubstr("address"), HasSubstr("weight is -1")));
  wire::EligibilityRule rule;
  rule.__set_id("r");
  rule.__set_percentage(101);
  rule.__set_action(7);
  rule.__set_pathPrefix("no-store");
  EXPECT_THAT(stores_->rules.put(rule, by("ann")).error().message,
              testing::AllOf(HasSubstr("percentage"), HasSubstr("action"), HasSubstr("path_prefix")));
}

TEST_P(EntityStoreTest, ATableThatJobsReadStays) {
  putTable();
  add(job("j"));
  const Status refused = stores_->tables.remove("clicks", by("ann"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("job \"j\""));
  ASSERT_TRUE(tell("j", wire::JobState::FINISHED));
  EXPECT_TRUE(stores_->tables.remove("clicks", by("ann")));
}

TEST_P(EntityStoreTest, RulesComeInTheirOrder) {
  for (const auto& [id, order] : {std::pair{"late", 9}, {"b", 1}, {"a", 1}}) {
    wire::EligibilityRule rule;
    rule.__set_id(id);
    rule.__set_order(order);
    rule.__set_action(wire::RuleAction::BYPASS);
    ASSERT_TRUE(stores_->rules.put(rule, by("ann")));
  }
  std::vector<std::string> ids;
  for (const auto& rule : *stores_->rules.list()) {
    ids.push_back(rule.id);
  }
  EXPECT_THAT(ids, testing::ElementsAre("a", "b", "late"));
}

}  // namespace
}  // namespace shift::gms
