#include "shift-node/control/RequestRecorder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/AdmitAll.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::node {
namespace {

class RequestRecorderTest : public testing::Test {
 protected:
  void read(const std::string& path) {
    control::ReadRequest request;
    request.store = "w";
    request.path = path;
    request.version = "v";
    request.fileSize = 1000;
    request.blockSize = 1000;
    request.length = 10;
    recorder_.record(request, TimePoint(std::chrono::seconds(++seconds_)));
  }

  static std::vector<std::string> pathsIn(const std::string& bytes) {
    std::istringstream in(bytes);
    in.seekg(static_cast<std::streamoff>(control::kRequestLogMagic.size()));
    control::RequestLogReader reader(in);
    std::vector<std::string> paths;
    while (true) {
      const auto next = reader.next();
      EXPECT_TRUE(next);
      if (!next || !*next) {
        return paths;
      }
      paths.push_back((*next)->request.path);
    }
  }

  test::TemporaryDirectory directory_;
  test::AdmitAll policy_;
  RequestRecorder recorder_{policy_, directory_.path().string(), "n1"};
  int seconds_ = 0;
};

TEST_F(RequestRecorderTest, RecordsWhatComesBetweenStartAndStop) {
  read("before");
  const auto started = recorder_.start(1 << 20, 42);
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_EQ(recorder_.current().file, started->file);
  read("a");
  read("b");
  const auto stopped = recorder_.stop();
  ASSERT_TRUE(stopped);
  read("after");
  EXPECT_EQ(stopped->requests, 2u);
  EXPECT_EQ(stopped->leftOut, 0u);
  EXPECT_EQ(recorder_.current().file, "");
  const auto bytes = recorder_.read(0, 1 << 20);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), stopped->bytes);
  EXPECT_EQ(pathsIn(*bytes), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(*recorder_.read(0, 3) + *recorder_.read(3, 1 << 20), *bytes) << "in pieces it is the same";
  EXPECT_EQ(*recorder_.read(stopped->bytes, 10), "");
}

TEST_F(RequestRecorderTest, StopsAtItsLimitAndSaysHowMuchWasLeftOut) {
  ASSERT_TRUE(recorder_.start(64, 1));
  for (int i = 0; i < 100; ++i) {
    read("same");
  }
  const auto stopped = recorder_.stop();
  ASSERT_TRUE(stopped);
  EXPECT_LE(stopped->bytes, 64u);
  EXPECT_EQ(stopped->requests + stopped->leftOut, 100u);
  EXPECT_GT(stopped->leftOut, 0u);
}

TEST_F(RequestRecorderTest, OneAtATime) {
  EXPECT_FALSE(recorder_.stop());
  EXPECT_FALSE(recorder_.read(0, 1));
  ASSERT_TRUE(recorder_.start(1 << 20, 1));
  EXPECT_FALSE(recorder_.start(1 << 20, 2));
  ASSERT_TRUE(recorder_.stop());
  EXPECT_TRUE(recorder_.start(1 << 20, 3));
}

TEST_F(RequestRecorderTest, WithoutAPlaceForItThereIsNone) {
  RequestRecorder none(policy_, "", "n1");
  EXPECT_NE(none.start(1 << 20, 1).error().message.find("trace.directory"), std::string::npos);
  RequestRecorder nowhere(policy_, directory_ / "absent", "n1");
  EXPECT_FALSE(nowhere.start(1 << 20, 1));
}

}  // namespace
}  // namespace shift::node
