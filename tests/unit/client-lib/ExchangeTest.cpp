#include "client-lib/Exchange.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "net/Socket.h"
#include "tests/support/MemoryStore.h"

namespace shift::client {
namespace {

using namespace std::chrono_literals;

/** One get to a node that is this test itself, word by word. */
class ExchangeTest : public testing::Test {
 protected:
  ExchangeTest() {
    store_.put("f", "0123456789", "v1");
    file_.backing = *store_.open("f");
    file_.identity = {.store = "s", .path = "f", .version = "v1", .size = 10, .blockSize = 64};
    options_.getDeadline = 50ms;
    options_.hedgeAfter = 1ms;
    options_.mayHedge = [this](std::size_t gets) {
      asked_ += gets;
      return true;
    };
    task_.file = &file_;
    task_.get.range.length = 10;
    task_.into = std::as_writable_bytes(std::span(buffer_));
  }

  void begin() {
    exchange_.add(task_);
    exchange_.begin();
    ASSERT_TRUE(net::waitUntilReady(listener_, true, clock_, clock_.now() + 1min));
    node_ = FileDescriptor(::accept(listener_.get(), nullptr, nullptr));
  }
  void say(std::int32_t status) {
    wire::ReadAnswer answer;
    answer.__set_requestId(0);
    answer.__set_status(status);
    const std::string frame = protocol::encodeAnswer(answer, 0);
    ASSERT_EQ(::send(node_.get(), frame.data(), frame.size(), 0), static_cast<ssize_t>(frame.size()));
  }

  const SystemClock clock_;
  test::MemoryStore store_{"s"};
  OpenFile file_;
  std::string buffer_ = std::string(10, '?');
  GetTask task_;
  ExchangeOptions options_;
  std::size_t asked_ = 0;
  const FileDescriptor listener_ = *net::listenOn({"127.0.0.1", 0});
  NodeClient nodeClient_{*net::localAddress(listener_), {}, 5s, clock_};
  Exchange exchange_{nodeClient_, options_, clock_};
  FileDescriptor node_;
};

TEST_F(ExchangeTest, GivesUpANodeThatSaysNothing) {
  begin();
  exchange_.finish();
  EXPECT_EQ(task_.outcome, GetTask::Outcome::kHedged);
  EXPECT_EQ(asked_, 1u);
}

TEST_F(ExchangeTest, WaitsForANodeThatIsFilling) {
  begin();
  say(wire::ReadStatus::FILLING);
  exchange_.finish();
  EXPECT_EQ(task_.outcome, GetTask::Outcome::kFailed)
      << "for as long as its deadline is, and no hedge before";
  EXPECT_EQ(asked_, 0u);
}

TEST_F(ExchangeTest, TheAnswerFollowsTheWordThatItIsFilling) {
  begin();
  say(wire::ReadStatus::FILLING);
  say(wire::ReadStatus::BUSY);
  exchange_.finish();
  EXPECT_EQ(task_.outcome, GetTask::Outcome::kRefused);
}

}  // namespace
}  // namespace shift::client
