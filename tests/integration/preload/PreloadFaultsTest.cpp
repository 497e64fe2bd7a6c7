#include <gmock/gmock.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/integration/preload/PreloadFixture.h"

namespace shift {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

/** Whatever goes wrong, the program reads the right bytes and hears of no error. */
class PreloadFaultsTest : public test::PreloadFixture {
 protected:
  PreloadFaultsTest() : content_(addFile("t/file", 1'300'123, 1)) {
    directory_.write("other", test::patternedBytes(200'000, 2));
    startTier(2);
  }

  /** Files that the probe changes are made anew before each run. */
  Outcome runWithFreshFiles(bool isPreloaded, const std::vector<std::string>& command) {
    addFile("t/replaced", 500'000, 3);
    addFile("t/new", 500'000, 4);
    addFile("t/growing", 300'000, 5);
    return isPreloaded ? runPreloaded(command) : runPlainly(command);
  }

  void tellsTheSame(const std::vector<std::string>& arguments) {
    const Outcome plain = runWithFreshFiles(false, probe(arguments));
    ASSERT_EQ(plain.code, 0) << plain.said;
    const Outcome preloaded = runWithFreshFiles(true, probe(arguments));
    EXPECT_EQ(preloaded.code, 0) << preloaded.said;
    EXPECT_EQ(preloaded.printed, plain.printed);
    EXPECT_GT(servedBytes(), 0);
  }

  /** Reads the file with dd: what the library said. */
  std::string readSaying(const std::vector<std::string>& environment) {
    const std::string out = directory_ / "out";
    const Outcome outcome =
        runPreloaded({"dd", "if=" + file_, "of=" + out, "bs=64k", "status=none"}, environment);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(contentOf(out), content_);
    EXPECT_EQ(servedBytes(), 0);
    return outcome.said;
  }

  const std::string content_;
  const std::string file_ = stored("t/file");
};

TEST_F(PreloadFaultsTest, ANumberThatAnotherFileWasGivenReadsThatFile) {
  tellsTheSame({"reused", file_, directory_ / "other"});
}

TEST_F(PreloadFaultsTest, AnOpenFileIsReadAsItIsWhenItsPathIsReplacedOrItsBytesChange) {
  tellsTheSame({"replaced", stored("t/replaced"), stored("t/new"), stored("t/growing")});
}

TEST_F(PreloadFaultsTest, AProgramThatClosesEverythingReadsOn) {
  tellsTheSame({"close-all", file_, directory_ / "other"});
}

TEST_F(PreloadFaultsTest, AThreadThatIsCancelledWhileItReadsEndsAsEver) {
  tellsTheSame({"cancelled", file_});
}

TEST_F(PreloadFaultsTest, NodesKilledInTheMiddleAreNotNoticed) {
  const std::string fifo = directory_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const auto reader = startPreloaded(probe({"steps", file_, fifo}));
  ASSERT_EQ(*reader->readLine(clock_, seconds(60)), "half");
  EXPECT_GE(servedBytes(), static_cast<std::int64_t>(content_.size() / 2));
  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    cluster_->node(i).signal(SIGKILL);
    EXPECT_EQ(cluster_->node(i).wait(seconds(30)), 128 + SIGKILL);
  }
  std::ofstream(fifo) << "go";
  const std::string preloaded = *reader->readLine(clock_, seconds(60));
  EXPECT_EQ(reader->wait(seconds(60)), 0);
  std::thread go([&] { std::ofstream(fifo) << "go"; });
  EXPECT_EQ(runPlainly(probe({"steps", file_, fifo})).printed, "half\n" + preloaded + "\n");
  go.join();
}

TEST_F(PreloadFaultsTest, WithoutAConfigurationItSaysWhatIsMissingAndStaysOutOfTheWay) {
  EXPECT_EQ(readSaying({"SHIFT_CONFIG="}),
            "shift-preload: reads are not redirected: SHIFT_CONFIG is not set; it names the client's "
            "configuration file\n");
  EXPECT_THAT(readSaying({"SHIFT_PRELOAD_PREFIX="}), HasSubstr("SHIFT_PRELOAD_PREFIX is not set"));
  EXPECT_THAT(readSaying({"SHIFT_CONFIG=/no/such/file"}),
              HasSubstr("SHIFT_CONFIG=/no/such/file: No such file or directory"));
  EXPECT_EQ(readSaying({"SHIFT_CONFIG=", "SHIFT_PRELOAD_QUIET=1"}), "");
}

TEST_F(PreloadFaultsTest, ABrokenConfigurationIsSaidOnceAndReadsGoOn) {
  directory_.write("broken.toml", "[store]\nroot = 7\nroof = \"/\"\n");
  const std::string said = readSaying({"SHIFT_CONFIG=" + (directory_ / "broken.toml")});
  EXPECT_THAT(said, HasSubstr("shift-preload: reads are not redirected: " + (directory_ / "broken.toml")));
  EXPECT_THAT(said, HasSubstr("store.roof"));
  EXPECT_EQ(said.find("shift-preload"), said.rfind("shift-preload")) << said;
}

TEST_F(PreloadFaultsTest, APrefixOutsideTheStoreIsSaid) {
  directory_.write("elsewhere/file", content_);
  const std::string prefix = directory_ / "elsewhere";
  const Outcome outcome = runPreloaded({"cat", prefix + "/file"}, {"SHIFT_PRELOAD_PREFIX=" + prefix});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.said, HasSubstr("SHIFT_PRELOAD_PREFIX=" + prefix + " is not below store.root of"));
}

TEST_F(PreloadFaultsTest, WithFewDescriptorsTheProgramComesFirst) {
  // Each file that is read through the tier takes a descriptor more; a quarter of the limit is the most.
  for (int i = 0; i < 60; ++i) {
    addFile("many/" + std::to_string(i), 1000, static_cast<unsigned>(i));
  }
  const std::string script =
      "import os, sys\n"
      "held = [os.open(f'{sys.argv[1]}/{i}', os.O_RDONLY) for i in range(50)]\n"
      "print(sum(len(os.read(fd, 2000)) for fd in held))\n"
      "held += [os.open(sys.argv[1] + '/59', os.O_RDONLY) for i in range(20)]\n"
      "print(len(held))\n";
  const Outcome outcome = runPreloaded({"sh", "-c", "ulimit -n 100 && exec python3 -c \"$SCRIPT\" $MANY"},
                                       {"SCRIPT=" + script, "MANY=" + stored("many")});
  EXPECT_EQ(outcome.printed, "50000\n70\n") << outcome.said;
  EXPECT_GT(servedBytes(), 10'000);
  EXPECT_LT(servedBytes(), 30'000);
}

}  // namespace
}  // namespace shift
