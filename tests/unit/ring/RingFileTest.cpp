#include "ring/RingFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/TemporaryDirectory.h"

namespace shift::ring {
namespace {

using testing::HasSubstr;

class RingFileTest : public testing::Test {
 protected:
  std::string faultOf(const std::string& toml) {
    const Result<Ring> ring = readRingFile(directory_.write("ring.toml", toml));
    return ring ? "accepted" : ring.error().message;
  }
  test::TemporaryDirectory directory_;
};

TEST_F(RingFileTest, ReadsWhatItWrites) {
  const Ring ring({{.id = "a \"quoted\"", .address = {"::1", 7400}, .weight = 0.5},
                   {.id = "b", .address = {"host", 1}, .weight = 2, .admin = HostPort{"host", 2}}});
  const Result<Ring> read = readRingFile(directory_.write("ring.toml", formatRingFile(ring)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(std::equal(ring.members().begin(), ring.members().end(), read->members().begin(),
                         read->members().end()));
}

TEST_F(RingFileTest, NamesEveryFaultWithItsLine) {
  const std::string fault = faultOf(R"([[node]]
id = "a"
address = "nowhere"
[[node]]
id = "a"
address = "h:1"
weight = -2
colour = "red"
)");
  EXPECT_THAT(fault, HasSubstr("ring.toml:1: \"nowhere\" is not an address"));
  EXPECT_THAT(fault, HasSubstr("ring.toml:8: unknown key \"colour\""));
  EXPECT_THAT(fault, HasSubstr("the id \"a\" is used twice"));
  EXPECT_THAT(fault, HasSubstr("weight must be a number from 0 to 100"));
}

TEST_F(RingFileTest, RefusesWhatHoldsNoRing) {
  EXPECT_THAT(faultOf(""), HasSubstr("no [[node]] in it"));
  EXPECT_THAT(faultOf("node = 3\n"), HasSubstr("unknown key \"node\""));
  EXPECT_THAT(faultOf("[[node]\n"), HasSubstr("ring.toml:1:"));
  EXPECT_THAT(faultOf("[[node]]\nid = \"a\"\naddress = \"h:1\"\nweight = \"heavy\"\n"), HasSubstr("weight"));
  EXPECT_FALSE(readRingFile(directory_ / "absent.toml"));
}

}  // namespace
}  // namespace shift::ring
