#include "ring/RingChange.h"

#include <gtest/gtest.h>

namespace shift::ring {
namespace {

Ring ringOf(const std::vector<std::string>& ids) {
  std::vector<Member> members;
  for (const std::string& id : ids) {
    members.push_back({.id = id, .address = {"h", 1}});
  }
  return Ring(std::move(members));
}

TEST(RingChange, ANewMemberTakesItsShareAndNothingElseMoves) {
  const RingChange change = compare(ringOf({"a", "b", "c"}), ringOf({"a", "b", "c", "d"}));
  EXPECT_NEAR(change.moved, 0.25, 0.02);
  ASSERT_EQ(change.members.size(), 4u);
  EXPECT_EQ(change.members[3].id, "d");
  EXPECT_EQ(change.members[3].before, 0);
  EXPECT_NEAR(change.members[3].gained, change.moved, 1e-9);
  EXPECT_EQ(change.members[0].gained, 0);
  EXPECT_NEAR(change.members[0].before, 1.0 / 3, 0.02);
  EXPECT_NEAR(change.members[0].after, 0.25, 0.02);
}

TEST(RingChange, TheSameRingMovesNothing) {
  EXPECT_EQ(compare(ringOf({"a", "b"}), ringOf({"b", "a"})).moved, 0);
}

TEST(RingChange, FromAndToAnEmptyRingNothingMovesBetweenMembers) {
  const RingChange first = compare(Ring(), ringOf({"a"}));
  EXPECT_EQ(first.moved, 0);
  EXPECT_NEAR(first.members.at(0).after, 1, 1e-9);
  EXPECT_EQ(compare(ringOf({"a"}), Ring()).moved, 0);
}

}  // namespace
}  // namespace shift::ring
