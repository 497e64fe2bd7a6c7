#include "common/ConfigSchema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/ByteSize.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/** A configuration with one key of each kind. */
class ConfigSchemaTest : public testing::Test {
 protected:
  ConfigSchemaTest() {
    schema_.text("name", name_, "name of the node");
    schema_.address("listen", listen_, "where to listen");
    schema_.byteSize("cache.dram", dram_, 1 * kMiB, 1 * kTiB, "memory for segments");
    schema_.duration("cache.refresh", refresh_, 1s, 1h, "how often to refresh");
    schema_.integer("cache.threads", threads_, 1, 64, "threads");
    schema_.real("cache.share", share_, 0, 1, "share");
    schema_.flag("cache.verify", verify_, "verify");
    schema_.textList("cache.files", files_, "files");
    schema_.choice("cache.mode", mode_, {"score", "lru"}, "eviction order");
  }

  std::vector<std::string> faultsOf(const std::string& toml, std::vector<std::string> overrides = {}) {
    const std::string path = toml.empty() ? "" : directory_.write("c.toml", toml);
    try {
      schema_.load(path, overrides);
    } catch (const ConfigError& error) {
      return error.faults();
    }
    return {};
  }

  test::TemporaryDirectory directory_;
  ConfigSchema schema_;
  std::string name_ = "n0";
  HostPort listen_{"127.0.0.1", 0};
  std::uint64_t dram_ = kGiB;
  Duration refresh_ = 10s;
  std::uint32_t threads_ = 4;
  double share_ = 0.5;
  bool verify_ = true;
  std::vector<std::string> files_{"one"};
  std::string mode_ = "score";
};

TEST_F(ConfigSchemaTest, ReadsEveryKind) {
  EXPECT_THAT(faultsOf(R"(
name = "n7"
listen = "0.0.0.0:7000"
[cache]
dram = "2GiB"
refresh = "30s"
threads = 8
share = 0.25
verify = false
files = ["/a", "/b,c"]
mode = "lru"
)"),
              IsEmpty());
  EXPECT_EQ(name_, "n7");
  EXPECT_EQ(listen_, (HostPort{"0.0.0.0", 7000}));
  EXPECT_EQ(dram_, 2 * kGiB);
  EXPECT_EQ(refresh_, 30s);
  EXPECT_EQ(threads_, 8u);
  EXPECT_EQ(share_, 0.25);
  EXPECT_FALSE(verify_);
  EXPECT_THAT(files_, ElementsAre("/a", "/b,c"));
  EXPECT_EQ(mode_, "lru");
}

TEST_F(ConfigSchemaTest, KeepsDefaultsForWhatIsNotSaid) {
  EXPECT_THAT(faultsOf("name = \"n1\"\n"), IsEmpty());
  EXPECT_EQ(dram_, kGiB);
}

TEST_F(ConfigSchemaTest, ReportsAllFaultsAtOnceWithTheirLines) {
  const auto faults = faultsOf(R"(name = 7
colour = "red"
[cache]
dram = "12 parsecs"
refresh = "2h"
threads = 1.5
verify = "yes"
mode = "mru"
files = "one"
share = [1, 2]
)");
  EXPECT_EQ(faults.size(), 9u);
  EXPECT_THAT(faults, testing::Contains(HasSubstr("c.toml:9: cache.files: must be a list of texts")));
  EXPECT_THAT(faults,
              testing::Contains(HasSubstr("c.toml:10: cache.share: dates and lists of anything but text")));
  EXPECT_THAT(faults, testing::Contains(HasSubstr("c.toml:1: name: must be text in quotes")));
  EXPECT_THAT(faults, testing::Contains(HasSubstr("c.toml:2: unknown key \"colour\"")));
  EXPECT_THAT(faults, testing::Contains(HasSubstr("c.toml:4: cache.dram: \"12 parsecs\" is not a size")));
  EXPECT_THAT(faults, testing::Contains(
                          HasSubstr("c.toml:5: cache.refresh: 2h is out of range; allowed: from 1s to 1h")));
  EXPECT_THAT(faults, testing::Contains(HasSubstr("c.toml:6: cache.threads: must be a whole number")));
  EXPECT_THAT(faults, testing::Contains(HasSubstr("c.toml:7: cache.verify: must be true or false")));
  EXPECT_THAT(faults, testing::Contains(HasSubstr("c.toml:8: cache.mode: \"mru\" is not known")));
}

TEST_F(ConfigSchemaTest, SuggestsTheKeyThatWasMeant) {
  EXPECT_THAT(faultsOf("[cache]\ndarm = \"1GiB\"\n"),
              ElementsAre(HasSubstr("unknown key \"cache.darm\"; did you mean \"cache.dram\"?")));
}

TEST_F(ConfigSchemaTest, NamesTheLineOfASyntaxError) {
  EXPECT_THAT(faultsOf("name = \"a\"\n[cache\n"), ElementsAre(HasSubstr("c.toml:2: ")));
}

TEST_F(ConfigSchemaTest, NamesAFileThatIsNotThere) {
  std::vector<std::string> none;
  try {
    schema_.load(directory_ / "absent.toml", none);
    FAIL() << "an absent file was accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.faults(), ElementsAre(HasSubstr("absent.toml")));
  }
}

TEST_F(ConfigSchemaTest, OverridesWinOverTheFileAndAreCheckedAlike) {
  EXPECT_THAT(faultsOf("[cache]\ndram = \"2GiB\"\n",
                       {"cache.dram=3GiB", "cache.verify=false", "name=x", "cache.files=/x,/y"}),
              IsEmpty());
  EXPECT_EQ(dram_, 3 * kGiB);
  EXPECT_THAT(files_, ElementsAre("/x", "/y"));
  EXPECT_FALSE(verify_);
  EXPECT_EQ(name_, "x");
  EXPECT_THAT(faultsOf("", {"cache.dram=1B", "nonsense", "no.such=1"}),
              ElementsAre(HasSubstr("--set cache.dram=1B: cache.dram: 1B is out of range"),
                          HasSubstr("write key=value"), HasSubstr("unknown key \"no.such\"")));
}

TEST_F(ConfigSchemaTest, AsksRulesOnlyWhenEachKeyIsRight) {
  schema_.rule([this] {
    return threads_ > 2 && !verify_ ? std::string("more than two threads need cache.verify") : "";
  });
  EXPECT_THAT(faultsOf("", {"cache.verify=false"}), ElementsAre("more than two threads need cache.verify"));
  EXPECT_THAT(faultsOf("", {"cache.verify=false", "cache.share=7"}), ElementsAre(HasSubstr("cache.share")));
}

TEST_F(ConfigSchemaTest, WhatItPrintsCanBeReadBack) {
  name_ = "quote \" and \\ slash";
  threads_ = 17;
  refresh_ = 90s;
  const std::string printed = schema_.print();
  EXPECT_THAT(printed, HasSubstr("# memory for segments (from 1MiB to 1TiB)\ndram = \"1GiB\"\n"));
  name_ = "";
  threads_ = 1;
  refresh_ = 1s;
  EXPECT_THAT(faultsOf(printed), IsEmpty());
  EXPECT_EQ(name_, "quote \" and \\ slash");
  EXPECT_EQ(threads_, 17u);
  EXPECT_EQ(refresh_, 90s);
}

}  // namespace
}  // namespace shift
