#include "control-plane/SegmentMapper.h"

#include <gtest/gtest.h>

namespace shift::control {
namespace {

ReadRequest requestFor(std::string path, std::uint64_t blockIndex = 0, std::uint64_t offset = 0) {
  ReadRequest request;
  request.store = "s";
  request.path = std::move(path);
  request.blockSize = 8 * kMiB;
  request.blockIndex = blockIndex;
  request.offset = offset;
  return request;
}

TEST(SegmentMapper, MapsToTheDirectoryByDefault) {
  const SegmentMapper mapper(Parameters{});
  EXPECT_EQ(mapper.keyOf(requestFor("t/ds=1/a")), "s:t/ds=1");
  EXPECT_EQ(mapper.bucketOf(requestFor("t/ds=1/a")), mapper.bucketOf(requestFor("t/ds=1/b")));
  EXPECT_NE(mapper.bucketOf(requestFor("t/ds=1/a")), mapper.bucketOf(requestFor("t/ds=2/a")));
}

TEST(SegmentMapper, MapsToTheFile) {
  Parameters parameters;
  parameters.mapping = Mapping::kFile;
  const SegmentMapper mapper(parameters);
  EXPECT_EQ(mapper.keyOf(requestFor("t/ds=1/a")), "s:t/ds=1/a");
  EXPECT_NE(mapper.bucketOf(requestFor("t/ds=1/a")), mapper.bucketOf(requestFor("t/ds=1/b")));
}

TEST(SegmentMapper, MapsToTheTableThatThePatternNames) {
  Parameters parameters;
  parameters.mapping = Mapping::kTable;
  parameters.tablePattern = "^tables/([^/]+)/";
  const SegmentMapper mapper(parameters);
  EXPECT_EQ(mapper.keyOf(requestFor("tables/clicks/ds=1/a")), "s:clicks");
  EXPECT_EQ(mapper.bucketOf(requestFor("tables/clicks/ds=1/a")),
            mapper.bucketOf(requestFor("tables/clicks/ds=9/b")));
  EXPECT_EQ(mapper.keyOf(requestFor("other/clicks/a")), "s:other/clicks");
}

TEST(SegmentMapper, MapsToTheRangeInWhichTheRequestBegins) {
  Parameters parameters;
  parameters.mapping = Mapping::kRange;
  parameters.rangeBytes = 4 * kMiB;
  const SegmentMapper mapper(parameters);
  EXPECT_EQ(mapper.keyOf(requestFor("t/a", 0, 0)), "s:t/a#0");
  EXPECT_EQ(mapper.keyOf(requestFor("t/a", 1, 5 * kMiB)), "s:t/a#3");
}

TEST(SegmentMapper, GivesTheIdThatBelongsToTheKey) {
  for (const Mapping mapping : {Mapping::kDirectory, Mapping::kFile, Mapping::kTable, Mapping::kRange}) {
    Parameters parameters;
    parameters.mapping = mapping;
    const SegmentMapper mapper(parameters);
    for (const char* path : {"t/ds=1/a", "a", "t/a"}) {
      EXPECT_EQ(mapper.bucketOf(requestFor(path)), bucketIdOf(mapper.keyOf(requestFor(path))))
          << toString(mapping) << " " << path;
    }
  }
}

}  // namespace
}  // namespace shift::control
