#include "tools/demo/Chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "common/TemporaryDirectory.h"
#include "tests/unit/tools/demo/SampleFindings.h"

namespace shift::demo {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ChartTest : public testing::Test {
 protected:
  std::string content() const {
    std::ifstream file(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  const TemporaryDirectory directory_{"chart"};
  const std::string file_ = directory_ / "chart.svg";
};

TEST_F(ChartTest, ShowsEveryPolicyAndWhatIsComparedOfThem) {
  EXPECT_THAT(
      chartOf(sampleFindings()),
      AllOf(HasSubstr(">no cache<"), HasSubstr(">LRU<"), HasSubstr(">hybrid<"), HasSubstr(">planned<"),
            HasSubstr(">absorbed, side by side<"), HasSubstr(">mean job time<")));
}

TEST_F(ChartTest, IsPutWhereNothingIs) {
  EXPECT_TRUE(checkChartFile(file_));
  EXPECT_TRUE(writeChart(file_, sampleFindings()));
  EXPECT_EQ(content(), chartOf(sampleFindings()));
}

TEST_F(ChartTest, TakesThePlaceOfAnEarlierOne) {
  ASSERT_TRUE(writeChart(file_, sampleFindings()));
  EXPECT_TRUE(checkChartFile(file_));
}

TEST_F(ChartTest, NeverTakesThePlaceOfSomethingElse) {
  std::ofstream(file_) << "<svg>somebody's drawing</svg>\n";
  const Status checked = checkChartFile(file_);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, AllOf(HasSubstr("is no chart of the demo"), HasSubstr("--plot FILE")));
  EXPECT_EQ(content(), "<svg>somebody's drawing</svg>\n");
}

TEST_F(ChartTest, ADirectoryThatIsNotThereIsNoticedBeforehand) {
  const Status checked = checkChartFile(directory_ / "absent/chart.svg");
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, AllOf(HasSubstr("absent"), HasSubstr("--plot FILE")));
}

TEST_F(ChartTest, ADirectoryIsNoPlaceForIt) {
  const Status checked = checkChartFile(directory_.path().string());
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("is no chart of the demo"));
}

}  // namespace
}  // namespace shift::demo
