#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "common/ByteSize.h"
#include "net/Socket.h"
#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

class BadInputTest : public test::ClusterFixture {
 protected:
  /** Sends bytes to a node and waits until it closes the connection. Returns what it answered. */
  std::string sendRaw(const std::string& bytes) {
    const auto socket = *net::connectTo(cluster_->nodeAddress(0), clock_, clock_.now() + seconds(30));
    EXPECT_EQ(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
    ::shutdown(socket.get(), SHUT_WR);
    std::string answer;
    char buffer[4096];
    while (net::waitUntilReady(socket, true, clock_, clock_.now() + seconds(30))) {
      const ssize_t got = ::recv(socket.get(), buffer, sizeof buffer, 0);
      if (got <= 0) {
        return answer;
      }
      answer.append(buffer, static_cast<std::size_t>(got));
    }
    ADD_FAILURE() << "the node did not close the connection";
    return answer;
  }
};

TEST_F(BadInputTest, AllFaultsOfAConfigurationFileAreSaidAtOnce) {
  const std::string file =
      directory_.write("node.toml", "lisen = \"x\"\n[cache]\ndram = \"lots\"\nsegment_size = \"1KiB\"\n");
  const Outcome outcome = run("shift-node", {"--config", file});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.said, AllOf(HasSubstr("node.toml:1: unknown key \"lisen\"; did you mean \"listen\"?"),
                                  HasSubstr("node.toml:3: cache.dram: \"lots\" is not a size"),
                                  HasSubstr("node.toml:4: cache.segment_size: 1KiB is out of range")));
}

TEST_F(BadInputTest, ASegmentSizeThatIsNoPowerOfTwoIsRefused) {
  const Outcome outcome =
      run("shift-node", {"--set", "store.root=/tmp", "--set", "cache.segment_size=96KiB"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.said, HasSubstr("must be a power of two"));
}

TEST_F(BadInputTest, AMissingStoreDirectoryIsNamed) {
  const Outcome outcome = run("shift-node", {"--set", "store.root=" + (directory_ / "absent")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.said, AllOf(HasSubstr("store.root"), HasSubstr("absent"), HasSubstr("No such file")));
}

TEST_F(BadInputTest, MoreMemoryThanTheHostGivesIsNamed) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit lower{32 * kTiB, before.rlim_max};  // some hosts promise any amount
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &lower), 0);
  const Outcome outcome = run("shift-node", {"--set", "store.root=/tmp", "--set", "cache.dram=64TiB"});
  EXPECT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.said, AllOf(HasSubstr("cache.dram"), HasSubstr("make it smaller")));
}

TEST_F(BadInputTest, AFlashFileThatCannotBeUsedIsNamed) {
  const Outcome outcome = run("shift-node", {"--set", "store.root=/tmp", "--set",
                                             "cache.flash_files=" + (directory_ / "no/such/dir/cache"),
                                             "--set", "cache.flash=64MiB"});
  EXPECT_THAT(outcome.code, testing::AnyOf(1, 2));
  EXPECT_THAT(outcome.said, HasSubstr("no/such/dir/cache"));
}

TEST_F(BadInputTest, AnOccupiedPortIsNamed) {
  startCluster(1);
  const std::string taken = toString(cluster_->nodeAddress(0));
  const std::vector<std::string> common{"--set", "store.root=/tmp", "--set"};
  for (const std::string& setting : {"listen=" + taken, "admin_listen=" + taken, "metrics_listen=" + taken}) {
    std::vector<std::string> arguments = common;
    arguments.push_back(setting);
    for (const std::string other : {"listen", "admin_listen", "metrics_listen"}) {
      if (!setting.starts_with(other + "=")) {
        arguments.insert(arguments.end(), {"--set", other + "=127.0.0.1:0"});
      }
    }
    const Outcome outcome = run("shift-node", arguments);
    EXPECT_EQ(outcome.code, 1) << setting;
    EXPECT_THAT(outcome.said, HasSubstr("cannot listen on " + taken)) << setting;
  }
  const Outcome gms =
      run("shift-gms", {"--set", "listen=" + taken, "--set", "database=" + (directory_ / "x.sqlite")});
  EXPECT_EQ(gms.code, 1);
  EXPECT_THAT(gms.said, HasSubstr("cannot listen on " + taken));
}

TEST_F(BadInputTest, AGarbageDatabaseIsNamedAndLeftAlone) {
  const std::string garbage(10'000, 'g');
  const std::string file = directory_.write("gms.sqlite", garbage);
  const Outcome outcome = run("shift-gms", {"--set", "listen=127.0.0.1:0", "--set", "database=" + file});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.said, AllOf(HasSubstr("gms.sqlite"), HasSubstr("not a database")));
  std::ostringstream left;
  left << std::ifstream(file).rdbuf();
  EXPECT_EQ(left.str(), garbage);
}

TEST_F(BadInputTest, UnknownFlagsAreRefused) {
  EXPECT_EQ(run("shift-node", {"--frobnicate"}).code, 2);
  EXPECT_EQ(run("shift-gms", {"--set", "nonsense"}).code, 2);
}

TEST_F(BadInputTest, AnUnreadableOrAbsentFileIsTheCallersError) {
  addFile("f", 100, 1);
  startCluster(1);
  const auto client = newClient();
  const auto absent = client->open("absent");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().toErrno(), ENOENT);
  EXPECT_THAT(absent.error().message, HasSubstr("absent"));

  const std::vector<std::string> common{"--set", "store.root=" + (directory_ / "store"), "--set",
                                        "store.name=warehouse"};
  std::vector<std::string> arguments = common;
  arguments.push_back("absent");
  const Outcome cat = run("shift-cat", arguments);
  EXPECT_EQ(cat.code, 1);
  EXPECT_THAT(cat.said, AllOf(HasSubstr("absent"), HasSubstr("No such file")));
}

TEST_F(BadInputTest, AGarbageFrameCostsItsConnectionAndNothingElse) {
  const std::string content = addFile("f", 1 << 20, 1);
  startCluster(1);
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), content);
  EXPECT_EQ(sendRaw("GET / HTTP/1.1\r\nHost: node\r\n\r\n"), "");
  EXPECT_EQ(sendRaw(test::patternedBytes(100'000, 7).substr(0, 4096)), "");
  EXPECT_EQ(sendRaw(std::string("SHF1\1\0\0\0\xff\xff\xff\xff\0\0\0\0", 16)), "") << "a header of 4 GiB";
  EXPECT_EQ(sendRaw(std::string("SHF1\1\0\0\0\4\0\0\0\0\0\0\0????", 20)), "") << "no such struct";
  EXPECT_EQ(counter(0, "node_frames_malformed_total"), 4);
  EXPECT_EQ(readWhole(*client, "f", 1 << 20), content);
  EXPECT_EQ(client->stats().bytesFromBackingStore, 0u) << "the node serves on, on the same connection";
}

}  // namespace
}  // namespace shift
