#include "shift-node/server/InFlightBytes.h"

#include <gtest/gtest.h>

#include <optional>

namespace shift::node {
namespace {

TEST(InFlightBytes, RefusesPastTheLimitAndRemembersWhatIsGivenBack) {
  InFlightBytes bytes(100);
  auto first = bytes.reserve(60);
  EXPECT_TRUE(first);
  EXPECT_FALSE(bytes.reserve(41));
  EXPECT_EQ(bytes.used(), 60u) << "a refusal reserves nothing";
  EXPECT_TRUE(bytes.reserve(40));
  first = {};
  EXPECT_EQ(bytes.used(), 0u);
}

TEST(InFlightBytes, SurvivesAnAbsurdRequest) {
  InFlightBytes bytes(100);
  EXPECT_FALSE(bytes.reserve(~std::uint64_t{0}));
  EXPECT_TRUE(bytes.reserve(100));
}

TEST(InFlightBytes, AReservationMayOutliveIt) {
  std::optional<InFlightBytes> bytes(std::in_place, 100);
  const auto kept = bytes->reserve(10);
  bytes.reset();
  EXPECT_TRUE(kept);
}

}  // namespace
}  // namespace shift::node
