#include "backing-store/StorePath.h"

#include <gtest/gtest.h>

namespace shift::store {
namespace {

TEST(NormalisePath, HasOneSpellingPerFile) {
  for (const char* spelling : {"a/b/c", "/a/b/c", "a//b/./c", "./a/b/c/", "//a/b//c//."}) {
    EXPECT_EQ(*normalisePath(spelling), "a/b/c") << spelling;
  }
}

TEST(NormalisePath, KeepsDotsThatArePartOfAName) {
  EXPECT_EQ(*normalisePath("a/..b/...c/.d"), "a/..b/...c/.d");
}

TEST(NormalisePath, RefusesWhatCouldLeadOut) {
  for (const char* path : {"..", "../a", "a/..", "a/../b", "/../a"}) {
    ASSERT_FALSE(normalisePath(path)) << path;
    EXPECT_EQ(normalisePath(path).error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(NormalisePath, RefusesEmptyNulAndOverlong) {
  EXPECT_FALSE(normalisePath(""));
  EXPECT_FALSE(normalisePath("/"));
  EXPECT_FALSE(normalisePath("./."));
  EXPECT_FALSE(normalisePath(std::string_view("a\0b", 3)));
  EXPECT_FALSE(normalisePath(std::string(4097, 'a')));
  EXPECT_TRUE(normalisePath(std::string(4096, 'a')));
}

TEST(WithoutStore, TakesOffTheNameOfThatStoreOnly) {
  EXPECT_EQ(withoutStore("warehouse:clicks/part", "warehouse"), "clicks/part");
  EXPECT_EQ(withoutStore("clicks/part", "warehouse"), "clicks/part");
  EXPECT_EQ(withoutStore("other:clicks", "warehouse"), "other:clicks");
  EXPECT_EQ(withoutStore("warehouse", "warehouse"), "warehouse");
}

}  // namespace
}  // namespace shift::store
