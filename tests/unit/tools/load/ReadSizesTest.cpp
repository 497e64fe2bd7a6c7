#include "tools/load/ReadSizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace shift::load {
namespace {

using testing::HasSubstr;

TEST(ReadSizes, OneSizeIsAlwaysTaken) {
  const ReadSizes sizes = *ReadSizes::parse("4KiB");
  Draw draw(1);
  EXPECT_EQ(sizes.largest(), 4096u);
  EXPECT_EQ(sizes.pick(draw), 4096u);
}

TEST(ReadSizes, AMixComesByItsWeights) {
  const ReadSizes sizes = *ReadSizes::parse("4KiB:3,1MiB:1");
  EXPECT_EQ(sizes.largest(), kMiB);
  std::map<std::uint64_t, int> seen;
  Draw draw(1);
  for (int i = 0; i < 10'000; ++i) {
    ++seen[sizes.pick(draw)];
  }
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_NEAR(seen[4096], 7500, 200);
}

TEST(ReadSizes, SaysWhatIsWrong) {
  EXPECT_THAT(ReadSizes::parse("much").error().message, HasSubstr("read size \"much\""));
  EXPECT_THAT(ReadSizes::parse("").error().message, HasSubstr("read size \"\""));
  EXPECT_THAT(ReadSizes::parse("0").error().message, HasSubstr("from 1 B to 1 GiB"));
  EXPECT_THAT(ReadSizes::parse("2GiB").error().message, HasSubstr("from 1 B to 1 GiB"));
  for (const char* weight : {"4KiB:", "4KiB:x", "4KiB:-1", "4KiB:0", "4KiB:nan", "1KiB,4KiB:1x"}) {
    EXPECT_THAT(ReadSizes::parse(weight).error().message, HasSubstr("weight")) << weight;
  }
}

}  // namespace
}  // namespace shift::load
