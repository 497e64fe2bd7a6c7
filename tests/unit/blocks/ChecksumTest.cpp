#include "blocks/Checksum.h"

#include <gtest/gtest.h>

#include "tests/support/TemporaryDirectory.h"

namespace shift {
namespace {

const SegmentKey kKey{{1, 2}, 3};

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(Checksum, NoticesEveryFlippedBit) {
  std::string bytes = test::patternedBytes(300, 1);
  const std::uint64_t right = checksumOf(kKey, 0, bytesOf(bytes));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    ASSERT_NE(checksumOf(kKey, 0, bytesOf(bytes)), right) << "bit " << bit;
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
}

TEST(Checksum, NoticesRightBytesInTheWrongPlace) {
  const std::string bytes = test::patternedBytes(300, 1);
  const std::uint64_t right = checksumOf(kKey, 0, bytesOf(bytes));
  EXPECT_NE(checksumOf({{1, 2}, 4}, 0, bytesOf(bytes)), right);
  EXPECT_NE(checksumOf({{1, 3}, 3}, 0, bytesOf(bytes)), right);
  EXPECT_NE(checksumOf({{2, 2}, 3}, 0, bytesOf(bytes)), right);
  EXPECT_NE(checksumOf(kKey, 1, bytesOf(bytes)), right);
}

TEST(RunningChecksum, IsThatOfTheWholeHoweverItIsCut) {
  const std::string bytes = test::patternedBytes(3000, 1);
  RunningChecksum sum;
  for (std::size_t cut = 1; cut <= bytes.size(); cut += 97) {
    sum.begin(kKey, 5);
    for (std::span<const std::byte> rest = bytesOf(bytes); !rest.empty();) {
      const std::size_t size = std::min(cut, rest.size());
      sum.add(rest.first(size));
      rest = rest.subspan(size);
    }
    ASSERT_EQ(sum.value(), checksumOf(kKey, 5, bytesOf(bytes))) << cut;
  }
}

}  // namespace
}  // namespace shift
