#include <gmock/gmock.h>

#include "tests/integration/preload/PreloadFixture.h"

namespace shift {
namespace {

/** Programs as they are installed, each with what it reads and how much of that the nodes must have served.
 */
class PreloadProgramsTest : public test::PreloadFixture {
 protected:
  PreloadProgramsTest() : content_(addFile("clicks/ds=1/part-0", 3'300'123, 1)) { startTier(2); }

  /** Runs a shell's command that makes `out` of the file, and compares both. */
  void copies(const std::string& command, std::int64_t served) {
    const std::int64_t before = servedBytes();
    const Outcome outcome = runPreloaded(
        {"sh", "-c", command}, {"FILE=" + file_, "OUT=" + out_, "HERE=" + directory_.path().string()});
    EXPECT_EQ(outcome.code, 0) << outcome.said;
    EXPECT_EQ(contentOf(out_), content_) << command;
    EXPECT_EQ(servedBytes() - before, served) << command;
    std::filesystem::remove(out_);
  }

  std::int64_t whole() const { return static_cast<std::int64_t>(content_.size()); }

  const std::string content_;
  const std::string file_ = stored("clicks/ds=1/part-0");
  const std::string out_ = directory_ / "out";
};

TEST_F(PreloadProgramsTest, DdIsServedByNodes) {
  copies("dd if=$FILE of=$OUT bs=64k status=none", whole());
  copies("dd if=$FILE of=$OUT bs=1000001 status=none", whole());
  copies("dd bs=4k status=none < $FILE > $OUT", whole());
}

TEST_F(PreloadProgramsTest, CatAndCpAreServedByNodesAlsoWhereTheKernelWouldCopy) {
  copies("cat $FILE > $OUT", whole());
  copies("cat < $FILE | cat > $OUT", whole());
  copies("cp $FILE $OUT", whole());
}

TEST_F(PreloadProgramsTest, TarIsServedByNodes) {
  copies("tar -C ${FILE%/*} -cf $HERE/tar ${FILE##*/} && tar -xOf $HERE/tar > $OUT", whole());
}

TEST_F(PreloadProgramsTest, CmpIsServedByNodes) {
  directory_.write("copy", content_);
  std::string changed = content_;
  changed[2'000'000] ^= 1;
  directory_.write("changed", changed);
  EXPECT_EQ(runPreloaded({"cmp", file_, directory_ / "copy"}).code, 0);
  EXPECT_EQ(servedBytes(), whole());
  EXPECT_EQ(runPreloaded({"cmp", file_, directory_ / "changed"}).code, 1);
  EXPECT_GT(servedBytes(), whole() + 2'000'000);
}

TEST_F(PreloadProgramsTest, Sha256sumReadsByStdioAndFallsThrough) {
  const Outcome plain = runPlainly({"sha256sum", file_});
  const Outcome preloaded = runPreloaded({"sha256sum", file_});
  EXPECT_EQ(preloaded.printed, plain.printed);
  EXPECT_EQ(preloaded.said, "");
  EXPECT_EQ(servedBytes(), 0);
  copies("cat $FILE | tee $OUT | sha256sum", whole());
}

TEST_F(PreloadProgramsTest, PythonIsServedByNodes) {
  copies(
      "python3 -c 'import os; open(os.environ[\"OUT\"], \"wb\").write(open(os.environ[\"FILE\"], "
      "\"rb\").read())'",
      whole());
}

TEST_F(PreloadProgramsTest, ProgramsThatReadElsewhereLoadNothing) {
  directory_.write("elsewhere", content_);
  const Outcome outcome =
      runPreloaded({"sh", "-c", "cat $ELSEWHERE > $OUT; grep -c libshift.so /proc/self/maps"},
                   {"ELSEWHERE=" + (directory_ / "elsewhere"), "OUT=" + out_});
  EXPECT_EQ(outcome.printed, "0\n");
  EXPECT_EQ(contentOf(out_), content_);
  EXPECT_EQ(servedBytes(), 0);
}

TEST_F(PreloadProgramsTest, TheLibraryNeedsTheCLibraryAloneAndShowsOnlyWhatItStandsInFor) {
  const std::string library = SHIFT_PRELOAD_LIBRARY;
  EXPECT_EQ(runPlainly({"sh", "-c", "readelf -d " + library + " | grep -o 'NEEDED.*'"}).printed,
            "NEEDED)             Shared library: [libc.so.6]\n");
  const Outcome shown =
      runPlainly({"sh", "-c", "nm -D --defined-only " + library + " | cut -d' ' -f3 | xargs"});
  EXPECT_EQ(
      shown.printed,
      "__open64_2 __open_2 __openat64_2 __openat_2 __pread64_chk __pread_chk __read_chk close close_range "
      "closefrom copy_file_range creat creat64 dup2 dup3 fclose freopen freopen64 open open64 openat "
      "openat64 pread pread64 preadv preadv2 preadv64 preadv64v2 pthread_create read readv socket\n");
}

TEST_F(PreloadProgramsTest, ATrainingLoopWithForkedWorkersIsServedByNodes) {
  for (int i = 1; i < 4; ++i) {
    addFile("clicks/ds=1/part-" + std::to_string(i), 1 << 20, static_cast<unsigned>(i + 1));
  }
  const std::vector<std::string> loop{"python3", SHIFT_TRAINING_LOOP, stored("clicks/ds=1"), "32768", "3",
                                      "4"};
  const Outcome plain = runPlainly(loop);
  const Outcome preloaded = runPreloaded(loop);
  EXPECT_EQ(plain.code, 0) << plain.said;
  EXPECT_EQ(preloaded.code, 0) << preloaded.said;
  EXPECT_EQ(preloaded.printed, plain.printed);
  EXPECT_GE(servedBytes(), 3 * (whole() + 3 * (1 << 20)));
}

TEST_F(PreloadProgramsTest, ReadsAreOnTheAccountOfTheJobInTheEnvironment) {
  EXPECT_EQ(runPreloaded({"dd", "if=" + file_, "of=" + out_, "bs=1M"}, {"SHIFT_JOB_ID=train-7"}).code, 0);
  EXPECT_THAT(jobs(), testing::ElementsAre("train-7"));
}

}  // namespace
}  // namespace shift
