#include "backing-store/DirectoryStore.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>

#include "tests/support/TemporaryDirectory.h"

namespace shift::store {
namespace {

class DirectoryStoreTest : public testing::Test {
 protected:
  std::string readAll(const BackingFile& file, std::size_t count, std::uint64_t offset) {
    std::string buffer(count, '\0');
    const Result<std::size_t> got = file.read(std::as_writable_bytes(std::span(buffer)), offset);
    EXPECT_TRUE(got.ok());
    buffer.resize(got.ok() ? *got : 0);
    return buffer;
  }

  test::TemporaryDirectory outside_;
  test::TemporaryDirectory root_;
  std::unique_ptr<DirectoryStore> store_ = *DirectoryStore::open("warehouse", root_.path().string());
};

TEST_F(DirectoryStoreTest, ReadsRangesAndStopsAtTheEnd) {
  root_.write("t/ds=1/f", "0123456789");
  const auto file = *store_->open("t/ds=1/f");
  EXPECT_EQ(file->info().size, 10u);
  EXPECT_EQ(readAll(*file, 4, 3), "3456");
  EXPECT_EQ(readAll(*file, 100, 7), "789");
  EXPECT_EQ(readAll(*file, 5, 10), "");
}

TEST_F(DirectoryStoreTest, FillsManyBuffersAsOneRead) {
  const std::string content = test::patternedBytes(5000, 3);
  root_.write("f", content);
  const auto file = *store_->open("f");
  std::vector<std::string> parts(2000, std::string(2, '\0'));  // more than one system call takes
  parts[1].clear();
  std::vector<std::span<std::byte>> buffers;
  for (std::string& part : parts) {
    buffers.push_back(std::as_writable_bytes(std::span(part)));
  }
  EXPECT_EQ(*file->read(buffers, 1500), 3500u);
  std::string joined;
  for (const std::string& part : parts) {
    joined += part;
  }
  EXPECT_EQ(joined.substr(0, 3500), content.substr(1500));
}

TEST_F(DirectoryStoreTest, VersionChangesWhenTheFileIsRewritten) {
  const std::string path = root_.write("f", "one");
  const FileInfo before = *store_->stat("f");
  const auto open = *store_->open("f");
  EXPECT_EQ(open->info(), before);
  root_.write("f", "three");
  EXPECT_NE(store_->stat("f")->version, before.version);
  EXPECT_NE(open->currentInfo()->version, before.version) << "an open file must notice it too";
}

TEST_F(DirectoryStoreTest, AnOpenFileKeepsItsBytesWhenItsNameIsGivenToAnother) {
  const std::string path = root_.write("f", "old");
  const auto open = *store_->open("f");
  const std::string next = root_.write("f.next", "new!");
  std::filesystem::rename(next, path);
  EXPECT_EQ(readAll(*open, 10, 0), "old");
  EXPECT_EQ(*open->currentInfo(), open->info());
  EXPECT_EQ(readAll(**store_->open("f"), 10, 0), "new!");
}

TEST_F(DirectoryStoreTest, NamesTheFaultOfWhatCannotBeOpened) {
  root_.write("dir/f", "x");
  const auto errnoOf = [&](const char* path) {
    const auto opened = store_->open(path);
    return opened ? 0 : opened.error().systemError;
  };
  EXPECT_EQ(errnoOf("absent"), ENOENT);
  EXPECT_EQ(errnoOf("dir"), EISDIR);
  EXPECT_EQ(errnoOf("dir/f/g"), ENOTDIR);
  EXPECT_EQ(errnoOf("../f"), EINVAL);
  ASSERT_EQ(::mkfifo((root_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(errnoOf("fifo"), EINVAL);
}

TEST_F(DirectoryStoreTest, FollowsLinksInsideTheRootButNeverOutOfIt) {
  outside_.write("secret", "secret");
  root_.write("real/f", "inside");
  std::filesystem::create_symlink(outside_.path(), root_ / "escape");
  std::filesystem::create_symlink(outside_ / "secret", root_ / "escape-file");
  std::filesystem::create_symlink("real", root_ / "link");
  EXPECT_FALSE(store_->open("escape/secret"));
  EXPECT_FALSE(store_->open("escape-file"));
  EXPECT_FALSE(store_->stat("escape-file"));
  const auto inside = store_->open("link/f");
  ASSERT_TRUE(inside);
  EXPECT_EQ(readAll(**inside, 10, 0), "inside");
}

TEST_F(DirectoryStoreTest, ListsFilesBelowADirectoryByPathWithTheVersionThatOpenSees) {
  outside_.write("secret", "secret");
  root_.write("t/ds=2/b", "bb");
  root_.write("t/ds=1/a", "a");
  root_.write("t/top", "top");
  root_.write("u/other", "x");
  std::filesystem::create_symlink(outside_.path(), root_ / "t/escape");
  const auto files = *store_->list("t/");
  std::vector<std::string> paths;
  for (const ListedFile& file : files) {
    paths.push_back(file.path);
    EXPECT_EQ(file.info, (*store_->open(file.path))->info());
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"t/ds=1/a", "t/ds=2/b", "t/top"}));
  EXPECT_EQ(store_->list("absent").error().systemError, ENOENT);
  EXPECT_EQ(store_->list("t/top").error().systemError, ENOTDIR);
  EXPECT_FALSE(store_->list("t/escape"));
  EXPECT_FALSE(store_->list(".."));
}

TEST_F(DirectoryStoreTest, RefusesARootThatIsNotADirectory) {
  const std::string file = root_.write("f", "x");
  EXPECT_FALSE(DirectoryStore::open("s", file));
  const auto absent = DirectoryStore::open("s", root_ / "absent");
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().message.find("absent"), std::string::npos);
}

}  // namespace
}  // namespace shift::store
