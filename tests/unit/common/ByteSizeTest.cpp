#include "common/ByteSize.h"

#include <gtest/gtest.h>

namespace shift {
namespace {

TEST(ByteSize, ReadsBinaryAndDecimalUnits) {
  EXPECT_EQ(*parseByteSize("262144"), 256 * kKiB);
  EXPECT_EQ(*parseByteSize("256KiB"), 256 * kKiB);
  EXPECT_EQ(*parseByteSize(" 1.5 GiB "), 3 * kGiB / 2);
  EXPECT_EQ(*parseByteSize("200MB"), 200'000'000u);
  EXPECT_EQ(*parseByteSize("0"), 0u);
}

TEST(ByteSize, RefusesWithTheFaultNamed) {
  const auto messageOf = [](std::string_view text) {
    const auto parsed = parseByteSize(text);
    return parsed ? std::string("accepted") : parsed.error().message;
  };
  EXPECT_EQ(
      messageOf("12 parsecs"),
      "\"12 parsecs\" is not a size: unknown unit \"parsecs\"; use B, KiB, MiB, GiB, TiB, kB, MB, GB or TB");
  EXPECT_NE(messageOf("").find("write a number and a unit"), std::string::npos);
  EXPECT_NE(messageOf("-1KiB").find("write a number and a unit"), std::string::npos);
  EXPECT_NE(messageOf("0.3B").find("not a whole number of bytes"), std::string::npos);
  EXPECT_NE(messageOf("9000000000GiB").find("larger than 8 EiB"), std::string::npos);
  EXPECT_NE(messageOf("nan").find("write a number"), std::string::npos);
}

TEST(ByteSize, ExactFormParsesBackToTheSameNumber) {
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{1}, kKiB, 3 * kMiB, kGiB + 1, 72 * kMiB, 5 * kTiB}) {
    EXPECT_EQ(*parseByteSize(formatExactByteSize(bytes)), bytes);
  }
  EXPECT_EQ(formatExactByteSize(256 * kKiB), "256KiB");
}

TEST(ByteSize, ShowsPeopleOneDecimal) {
  EXPECT_EQ(formatByteSize(12), "12 B");
  EXPECT_EQ(formatByteSize(1536), "1.5 KiB");
  EXPECT_EQ(formatByteSize(-2.0 * kGiB), "-2.0 GiB");
}

}  // namespace
}  // namespace shift
