#include "blocks/BlockId.h"

#include <gtest/gtest.h>

#include <set>

namespace shift {
namespace {

TEST(BlockId, DependsOnEveryFact) {
  const std::set<BlockId> ids{
      blockIdOf("s", "a/b", "v1", 72, 0), blockIdOf("t", "a/b", "v1", 72, 0),
      blockIdOf("s", "a/c", "v1", 72, 0), blockIdOf("s", "a/b", "v2", 72, 0),
      blockIdOf("s", "a/b", "v1", 73, 0), blockIdOf("s", "a/b", "v1", 72, 1),
  };
  EXPECT_EQ(ids.size(), 6u);
}

TEST(BlockId, DoesNotConfuseNeighbouringFields) {
  EXPECT_NE(blockIdOf("ab", "c", "", 1, 0), blockIdOf("a", "bc", "", 1, 0));
  EXPECT_NE(blockIdOf("a", "b", "c", 1, 0), blockIdOf("a", "", "bc", 1, 0));
}

// Ids are on flash and on the wire: a change here orphans every cache in the field.
TEST(BlockId, NeverChangesBetweenReleases) {
  EXPECT_EQ(toString(blockIdOf("store", "table/ds=1/part-0", "17.5-100", 75497472, 3)),
            "1ba9d46304ec2f65c52339e59bc251c1");
}

}  // namespace
}  // namespace shift
