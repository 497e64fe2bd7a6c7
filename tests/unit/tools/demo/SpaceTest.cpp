#include "tools/demo/Space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::demo {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Space, IsThatOfTheDatasetAndTheFlashAndSomeMore) {
  const Shape shape;
  EXPECT_GT(spaceNeeded(shape), shape.datasetBytes() + shape.flashBytes());
  EXPECT_LT(spaceNeeded(shape), 3 * kGiB / 2);
}

TEST(Space, JustEnoughIsEnough) {
  const Shape shape;
  EXPECT_TRUE(checkSpace("/tmp", spaceNeeded(shape), shape));
}

TEST(Space, TooLittleIsSaidWithHowMuchIsMissingAndWhatToDo) {
  const Shape shape;
  const Status checked = checkSpace("/small", spaceNeeded(shape) - 1, shape);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(checked.error().message, AllOf(HasSubstr("/small has 1.4 GiB left and the tour needs 1.4 GiB"),
                                             HasSubstr("TMPDIR"), HasSubstr("--scale")));
}

TEST(Space, ADirectoryThatIsNotThereHasNone) {
  const Status checked = checkSpace("/nowhere/at/all", Shape());
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("/nowhere/at/all"));
}

}  // namespace
}  // namespace shift::demo
