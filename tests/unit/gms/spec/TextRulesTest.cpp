#include "gms/spec/TextRules.h"

#include <gtest/gtest.h>

namespace shift::gms {
namespace {

TEST(TextRules, KnowsPlainText) {
  for (const char* plain : {"", "abc", "ü ß 日本 😀", "a\"b'c\\d"}) {
    EXPECT_TRUE(isPlainText(plain)) << plain;
  }
  for (const char* other : {"a\nb", "\x7f", "\xc2\x80", "\xff", "\xc0\xaf", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xe2\x82", "a\x80"}) {
    EXPECT_FALSE(isPlainText(other));
  }
  EXPECT_FALSE(isPlainText(std::string_view("a\0b", 3)));
}

TEST(TextRules, DirectoriesGetTheirOneSpelling) {
  Faults faults;
  EXPECT_EQ(checkDirectory(faults, "d", "/a//b/"), "a/b");
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(checkDirectory(faults, "d", "a/../b"), "");
  EXPECT_EQ(checkDirectory(faults, "d", std::string(2000, 'x')), "");
  EXPECT_EQ(faults.size(), 2u);
}

}  // namespace
}  // namespace shift::gms
