#include "control-plane/Parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace shift::control {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Parameters, DefaultsAreInOrder) {
  EXPECT_THAT(faultsOf(Parameters{}), IsEmpty());
}

TEST(Parameters, NamesEveryFaultAtOnce) {
  Parameters parameters;
  parameters.policy = "clairvoyant";
  parameters.historySteps = 13;
  parameters.minAdmitThreshold = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::string> faults = faultsOf(parameters);
  ASSERT_THAT(faults, SizeIs(3));
  EXPECT_THAT(faults[0], HasSubstr("historic, future, hybrid, planned"));
}

TEST(Parameters, RefusesAPatternWithoutAGroup) {
  Parameters parameters;
  parameters.mapping = Mapping::kTable;
  parameters.tablePattern = "^tables/";
  EXPECT_THAT(faultsOf(parameters), SizeIs(1));
  parameters.tablePattern = "([";
  EXPECT_THAT(faultsOf(parameters), SizeIs(1));
}

TEST(Parameters, RefusesAMinimumAboveTheMaximum) {
  Parameters parameters;
  parameters.minAdmitThreshold = 10;
  parameters.maxAdmitThreshold = 5;
  EXPECT_THAT(faultsOf(parameters), SizeIs(1));
}

}  // namespace
}  // namespace shift::control
