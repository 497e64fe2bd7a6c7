#include <cstring>
#include <filesystem>

#include "tests/integration/preload/PreloadFixture.h"

namespace shift {
namespace {

/** What a program's calls return must not depend on the library, whoever brings the bytes. */
class PreloadSemanticsTest : public test::PreloadFixture {
 protected:
  PreloadSemanticsTest() : content_(addFile("t/file", 1'300'123, 1)) { startTier(2); }

  /** Both runs tell the same, to the end and without complaint; with the library, nodes served bytes. */
  void tellsTheSame(const std::vector<std::string>& arguments, bool isServed = true) {
    const Outcome plain = runPlainly(probe(arguments));
    ASSERT_EQ(plain.code, 0) << plain.said;
    ASSERT_EQ(servedBytes(), 0);
    const Outcome preloaded = runPreloaded(probe(arguments));
    EXPECT_EQ(preloaded.code, 0) << preloaded.said;
    EXPECT_EQ(preloaded.printed, plain.printed);
    EXPECT_EQ(preloaded.said, "");
    EXPECT_EQ(servedBytes() > 0, isServed) << servedBytes();
  }

  const std::string content_;
  const std::string file_ = stored("t/file");
};

TEST_F(PreloadSemanticsTest, OpeningReadingSeekingAndAskingAreAsEver) {
  const std::string link = directory_ / "link";
  std::filesystem::create_symlink(file_, link);
  tellsTheSame({"calls", file_, link});
}

TEST_F(PreloadSemanticsTest, DuplicatesShareTheirOffset) {
  tellsTheSame({"copies", file_});
}

TEST_F(PreloadSemanticsTest, ChildrenAndTheProgramsTheyRunShareItToo) {
  tellsTheSame({"processes", file_});
}

TEST_F(PreloadSemanticsTest, WhatIsNotRedirectedFallsThrough) {
  tellsTheSame({"past", file_}, false);
}

TEST_F(PreloadSemanticsTest, ProcessesThatShareADescriptorReadEachRecordOnce) {
  constexpr int kRecords = 2000;
  std::string records(kRecords * std::size_t{4096}, '.');
  for (int i = 0; i < kRecords; ++i) {
    std::memcpy(records.data() + i * std::size_t{4096}, &i, sizeof i);
  }
  directory_.write("store/t/records", records);
  const Outcome outcome = runPreloaded(probe({"records", stored("t/records"), "8"}));
  EXPECT_EQ(outcome.code, 0) << outcome.said;
  EXPECT_EQ(outcome.printed, "records read: 2000\nrecords read more than once: 0\n");
  EXPECT_EQ(servedBytes(), static_cast<std::int64_t>(records.size()));
}

TEST_F(PreloadSemanticsTest, AHundredThreadsReadWhileTheProcessForks) {
  const Outcome outcome = runPreloaded(probe({"threads", file_, "100", "after"}));
  EXPECT_EQ(outcome.code, 0) << outcome.said;
  EXPECT_EQ(outcome.printed, "threads that read something else: 0\n");
  EXPECT_EQ(outcome.said, "");
  constexpr int kTimes = 1 + 100 * 3 + 8;  // once at first, by each thread three times, by each child once
  EXPECT_EQ(servedBytes(), kTimes * static_cast<std::int64_t>(content_.size()));
}

TEST_F(PreloadSemanticsTest, ThreadsThatReadAndForkWhileTheClientIsMadeReadOn) {
  const Outcome outcome = runPreloaded(probe({"threads", file_, "30", "at-once"}));
  EXPECT_EQ(outcome.code, 0) << outcome.said;
  EXPECT_EQ(outcome.printed, "threads that read something else: 0\n");
  EXPECT_GT(servedBytes(), 0);
}

TEST_F(PreloadSemanticsTest, ReadAheadServesTheSameBytes) {
  configureClient("4MiB");
  const std::string out = directory_ / "out";
  EXPECT_EQ(runPreloaded({"dd", "if=" + file_, "of=" + out, "bs=8k", "status=none"}).code, 0);
  EXPECT_EQ(contentOf(out), content_);
  EXPECT_GT(servedBytes(), 0);
}

TEST_F(PreloadSemanticsTest, OnlyWhatIsBelowThePrefixIsRedirected) {
  addFile("u/file", 100'000, 2);
  const auto prefix = {"SHIFT_PRELOAD_PREFIX=" + stored("u")};
  EXPECT_EQ(runPreloaded({"dd", "if=" + file_, "of=/dev/null"}, prefix).code, 0);
  EXPECT_EQ(servedBytes(), 0);
  EXPECT_EQ(runPreloaded({"dd", "if=" + stored("u/file"), "of=/dev/null"}, prefix).code, 0);
  EXPECT_EQ(servedBytes(), 100'000);
}

}  // namespace
}  // namespace shift
