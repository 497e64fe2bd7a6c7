#include "client-lib/AnswerCheck.h"

#include <gtest/gtest.h>

#include "tests/support/TemporaryDirectory.h"

namespace shift::client {
namespace {

constexpr std::uint32_t kSegment = 100;

/** A get from the middle of one segment to the middle of the third, and the node's answer to it. */
class AnswerCheckTest : public testing::Test {
 protected:
  AnswerCheckTest() {
    get_.block = {7, 8};
    get_.range = {.block = 0, .offset = 50, .length = 230, .bufferOffset = 0};
    answer_.segmentSize = kSegment;
    std::span<const std::byte> rest = bytes();
    for (const SegmentSlice& slice : cutIntoSegments(50, 230, kSegment)) {
      answer_.checksums.push_back(static_cast<std::int64_t>(
          checksumOf({get_.block, slice.segment}, slice.offset, rest.first(slice.length))));
      rest = rest.subspan(slice.length);
    }
  }

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(body_)); }

  bool isGenuine(std::size_t pieceSize) {
    check_.begin(get_, answer_);
    for (std::span<const std::byte> rest = bytes(); !rest.empty();) {
      const std::size_t size = std::min(pieceSize, rest.size());
      check_.add(rest.first(size));
      rest = rest.subspan(size);
    }
    return check_.isGenuine();
  }

  PlannedGet get_;
  wire::ReadAnswer answer_;
  std::string body_ = test::patternedBytes(230, 1);
  AnswerCheck check_;
};

TEST_F(AnswerCheckTest, TheRightBytesPassHoweverTheyArrive) {
  for (std::size_t pieceSize = 1; pieceSize <= body_.size(); ++pieceSize) {
    EXPECT_TRUE(isGenuine(pieceSize)) << pieceSize;
  }
}

TEST_F(AnswerCheckTest, OneWrongByteAnywhereDoesNotPass) {
  for (std::size_t i = 0; i < body_.size(); ++i) {
    body_[i] ^= 1;
    EXPECT_FALSE(isGenuine(64)) << i;
    body_[i] ^= 1;
  }
  EXPECT_TRUE(isGenuine(64)) << "and what went before does not matter";
}

TEST_F(AnswerCheckTest, TheRightBytesOfAnotherPlaceDoNotPass) {
  get_.range.offset += kSegment;
  EXPECT_FALSE(isGenuine(64));
  get_.range.offset -= kSegment;
  get_.block.low ^= 1;
  EXPECT_FALSE(isGenuine(64));
}

TEST_F(AnswerCheckTest, ChecksumsThatDoNotFitTheRangeDoNotPass) {
  answer_.checksums.push_back(1);
  EXPECT_FALSE(isGenuine(64));
  answer_.checksums.clear();
  EXPECT_FALSE(isGenuine(64));
}

TEST_F(AnswerCheckTest, ASegmentSizeThatMakesNoSenseDoesNotPass) {
  for (const std::int32_t size : {0, -1}) {
    answer_.segmentSize = size;
    EXPECT_FALSE(isGenuine(64));
  }
}

}  // namespace
}  // namespace shift::client
