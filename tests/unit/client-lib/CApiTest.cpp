#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "client-lib/shift.h"
#include "tests/support/TemporaryDirectory.h"

extern "C" int readTwiceInC(shift_client* client, const char* path, char* into, size_t count);

namespace shift {
namespace {

/** The C face over a directory, without nodes: what it does beyond the C++ client is to translate. */
class CApiTest : public testing::Test {
 protected:
  CApiTest() {
    directory_.write("store/t/f", content_);
    const std::string root = "store.root=" + (directory_ / "store");
    const char* const settings[] = {root.c_str(), "block_size=1MiB"};
    char error[256];
    client_ = shift_client_new(nullptr, settings, 2, error, sizeof error);
    EXPECT_NE(client_, nullptr) << error;
  }
  ~CApiTest() override { shift_client_free(client_); }

  const std::string content_ = test::patternedBytes(5000, 1);
  test::TemporaryDirectory directory_;
  shift_client* client_ = nullptr;
};

TEST_F(CApiTest, OpensReadsAndCloses) {
  const shift_open_options options{.job = "j", .tag = nullptr, .is_not_training = 1};
  const int64_t file = shift_open(client_, "t/f", &options);
  ASSERT_GE(file, 1);
  std::string buffer(6000, '?');
  EXPECT_EQ(shift_pread(client_, file, buffer.data(), buffer.size(), 100), 4900);
  EXPECT_EQ(buffer.substr(0, 4900), content_.substr(100));
  EXPECT_EQ(shift_pread(client_, file, buffer.data(), 1, 5000), 0);
  shift_file_info info{};
  EXPECT_EQ(shift_fstat(client_, file, &info), 0);
  EXPECT_EQ(info.size, 5000u);
  EXPECT_GT(std::strlen(info.version), 0u);
  EXPECT_EQ(shift_prefetch(client_, file, 0, 100), 0);
  shift_stats stats{};
  EXPECT_EQ(shift_get_stats(client_, &stats), 0);
  EXPECT_EQ(stats.bytes_from_backing_store, 4900u);
  EXPECT_EQ(shift_close(client_, file), 0);
  EXPECT_EQ(shift_close(client_, file), -EBADF);
}

TEST_F(CApiTest, ReadsOnFromAFileThatWasOpenWhenItsPathIsReplaced) {
  const int opened = ::open((directory_ / "store/t/f").c_str(), O_RDONLY | O_CLOEXEC);
  const int64_t file = shift_open_fd(client_, "t/f", opened, nullptr);
  ASSERT_GE(file, 1);
  directory_.write("store/t/new", test::patternedBytes(5000, 2));
  ASSERT_EQ(std::rename((directory_ / "store/t/new").c_str(), (directory_ / "store/t/f").c_str()), 0);
  std::string buffer(5000, '?');
  EXPECT_EQ(shift_pread(client_, file, buffer.data(), buffer.size(), 0), 5000);
  EXPECT_EQ(buffer, content_);
  EXPECT_EQ(shift_close(client_, file), 0);
  EXPECT_EQ(::fcntl(opened, F_GETFD), -1) << "the client closes what it was given";
}

TEST_F(CApiTest, ADescriptorThatIsNoFileIsRefusedAndClosed) {
  const int directory = ::open((directory_ / "store").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(shift_open_fd(client_, "t", directory, nullptr), -EISDIR);
  EXPECT_EQ(::fcntl(directory, F_GETFD), -1);
  EXPECT_EQ(shift_open_fd(client_, "t/f", -1, nullptr), -EINVAL);
}

TEST_F(CApiTest, TellsTheStoresRoot) {
  const std::string root = directory_ / "store";
  char into[4096];
  EXPECT_EQ(shift_store_root(client_, into, sizeof into), static_cast<int>(root.size()));
  EXPECT_EQ(into, root);
  EXPECT_EQ(shift_store_root(client_, into, root.size()), -ERANGE);
}

TEST_F(CApiTest, ReadsIntoManyBuffersAndManyReadsAtOnce) {
  const int64_t file = shift_open(client_, "t/f", nullptr);
  std::string first(10, '?');
  std::string second(20, '?');
  const iovec into[] = {{first.data(), first.size()}, {second.data(), second.size()}};
  EXPECT_EQ(shift_preadv(client_, file, into, 2, 50), 30);
  EXPECT_EQ(first + second, content_.substr(50, 30));
  shift_read reads[] = {{file, first.data(), 10, 4995, 0},
                        {file, second.data(), 20, -1, 0},
                        {file + 1, second.data(), 20, 0, 0}};
  EXPECT_EQ(shift_read_batch(client_, reads, 3), 0);
  EXPECT_EQ(reads[0].result, 5);
  EXPECT_EQ(reads[1].result, -EINVAL);
  EXPECT_EQ(reads[2].result, -EBADF);
}

TEST_F(CApiTest, MisuseIsAnErrorNumber) {
  EXPECT_EQ(shift_open(client_, "t/absent", nullptr), -ENOENT);
  EXPECT_EQ(shift_open(client_, "../f", nullptr), -EINVAL);
  EXPECT_EQ(shift_open(client_, nullptr, nullptr), -EINVAL);
  EXPECT_EQ(shift_open(nullptr, "t/f", nullptr), -EINVAL);
  const int64_t file = shift_open(client_, "t/f", nullptr);
  char byte = 0;
  EXPECT_EQ(shift_pread(client_, file, &byte, 1, -1), -EINVAL);
  EXPECT_EQ(shift_pread(client_, file, nullptr, 1, 0), -EINVAL);
  EXPECT_EQ(shift_pread(client_, file, &byte, SIZE_MAX, 0), -EINVAL);
  EXPECT_EQ(shift_pread(client_, file, nullptr, 0, 0), 0);
  EXPECT_EQ(shift_pread(client_, 77, &byte, 1, 0), -EBADF);
  EXPECT_EQ(shift_preadv(client_, file, nullptr, 1, 0), -EINVAL);
  EXPECT_EQ(shift_preadv(client_, file, nullptr, -1, 0), -EINVAL);
  shift_file_info info{};
  EXPECT_EQ(shift_stat(client_, "t", nullptr), -EINVAL);
  EXPECT_EQ(shift_stat(client_, "t/f", &info), 0);
  EXPECT_EQ(shift_prefetch(client_, file, -1, 1), -EINVAL);
  EXPECT_EQ(shift_get_stats(client_, nullptr), -EINVAL);
  shift_client_free(nullptr);
}

TEST_F(CApiTest, ABadConfigurationIsToldInWords) {
  const char* const settings[] = {"colour=red"};
  char error[300];
  EXPECT_EQ(shift_client_new(nullptr, settings, 1, error, sizeof error), nullptr);
  EXPECT_NE(std::strstr(error, "colour"), nullptr) << error;
  char tiny[8];
  EXPECT_EQ(shift_client_new(nullptr, settings, 1, tiny, sizeof tiny), nullptr);
  EXPECT_EQ(std::strlen(tiny), 7u);
  EXPECT_EQ(shift_client_new("/absent.toml", nullptr, 0, nullptr, 0), nullptr);
}

TEST_F(CApiTest, ServesAProgramInC) {
  std::string buffer(100, '?');
  EXPECT_EQ(readTwiceInC(client_, "t/f", buffer.data(), buffer.size()), 0);
  EXPECT_EQ(buffer, content_.substr(0, 100));
}

}  // namespace
}  // namespace shift
