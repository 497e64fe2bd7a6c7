#include "client-lib/Client.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <random>
#include <thread>

#include "net/Socket.h"
#include "tests/support/AlteringEngine.h"
#include "tests/support/ClientFixture.h"
#include "tests/support/InProcessNode.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::client {
namespace {

using namespace std::chrono_literals;

class ClientTest : public test::ClientFixture {};

TEST_F(ClientTest, ReadsEveryByteThroughTheNode) {
  connect({node_.serve()});
  EXPECT_EQ(read(0, 5000), content_);
  EXPECT_EQ(read(700, 1234), content_.substr(700, 1234));
  EXPECT_EQ(store_.reads(), 0u) << "the client itself read nothing";
  const ClientStats stats = client_->stats();
  EXPECT_EQ(stats.bytesFromNodes, 6234u);
  EXPECT_EQ(stats.bytesFromBackingStore, 0u);
}

TEST_F(ClientTest, MeansWhatPreadMeans) {
  connect({node_.serve()});
  EXPECT_EQ(read(4990, 100), content_.substr(4990)) << "short at the end of the file";
  EXPECT_EQ(read(5000, 10), "");
  EXPECT_EQ(read(1 << 30, 10), "");
  EXPECT_EQ(read(10, 0), "");
  std::byte byte{};
  EXPECT_EQ(client_->pread(Handle{99}, {&byte, 1}, 0).error().toErrno(), EBADF);
  EXPECT_TRUE(client_->close(file_));
  EXPECT_EQ(client_->close(file_).error().toErrno(), EBADF);
  EXPECT_EQ(client_->pread(file_, {&byte, 1}, 0).error().toErrno(), EBADF);
  EXPECT_EQ(client_->open("t/absent").error().toErrno(), ENOENT);
  EXPECT_EQ(client_->open("../f").error().toErrno(), EINVAL);
  EXPECT_EQ(client_->stat("t/f")->size, 5000u);
}

TEST_F(ClientTest, ReadsTheBackingStoreWhenNobodyListens) {
  HostPort nobody;
  {
    const Result<FileDescriptor> listener = net::listenOn({"127.0.0.1", 0});
    nobody = *net::localAddress(*listener);
  }
  connect({nobody});
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(read(100, 400), content_.substr(100, 400));
  }
  const ClientStats stats = client_->stats();
  EXPECT_EQ(stats.bytesFromBackingStore, 4000u);
  EXPECT_EQ(stats.getsFailed, 2u) << "then the breaker leaves the node alone";
  EXPECT_EQ(stats.getsSkipped, 8u);
}

TEST_F(ClientTest, ReadsTheBackingStoreWhenANodeDoesNotAnswer) {
  const Result<FileDescriptor> silent =
      net::listenOn({"127.0.0.1", 0});  // accepts in the kernel, says nothing
  config_.getDeadline = 10ms;
  connect({*net::localAddress(*silent)});
  EXPECT_EQ(read(0, 5000), content_);
  EXPECT_EQ(client_->stats().bytesFromNodes, 0u);
}

TEST_F(ClientTest, FallsBackPerRangeNotPerRead) {
  HostPort nobody;
  {
    const Result<FileDescriptor> listener = net::listenOn({"127.0.0.1", 0});
    nobody = *net::localAddress(*listener);
  }
  connect({node_.serve(), nobody});
  EXPECT_EQ(read(0, 5000), content_);
  const ClientStats stats = client_->stats();
  EXPECT_GT(stats.bytesFromNodes, 0u);
  EXPECT_GT(stats.bytesFromBackingStore, 0u);
  EXPECT_EQ(stats.bytesFromNodes + stats.bytesFromBackingStore, 5000u);
}

TEST_F(ClientTest, NeverReturnsAWrongByteFromACorruptCache) {
  test::AlteringEngine corrupting([](std::shared_ptr<std::byte> copy, std::uint32_t size) {
    copy.get()[size / 2] ^= std::byte{1};
    return copy;
  });
  test::InProcessNode bad({}, &corrupting);
  bad.store.put("t/f", content_, "v1");
  connect({bad.serve()});
  EXPECT_EQ(read(0, 5000), content_) << "filled: these bytes come straight from the backing store";
  EXPECT_EQ(read(0, 5000), content_) << "from the corrupt cache";
  EXPECT_GT(client_->stats().checksumMismatches, 0u);
}

TEST_F(ClientTest, AFileOfAnotherVersionOnTheNodesSideIsReadFromOurs) {
  node_.store.put("t/f", test::patternedBytes(5000, 9), "v2");
  connect({node_.serve()});
  EXPECT_EQ(read(0, 5000), content_);
  EXPECT_EQ(client_->stats().bytesFromNodes, 0u);
  EXPECT_GT(client_->stats().getsRefused, 0u);
}

TEST_F(ClientTest, ErrorsOfTheBackingStoreAreTheCallersToSee) {
  client_ = *Client::create(config_, store_, clock_);
  file_ = *client_->open("t/f");
  store_.failReads(true);
  std::byte byte{};
  EXPECT_EQ(client_->pread(file_, {&byte, 1}, 0).error().toErrno(), EIO);
}

TEST_F(ClientTest, NoticesARestartedNodeWithoutAFailedRead) {
  HostPort address = node_.serve();
  connect({address});
  EXPECT_EQ(read(0, 600), content_.substr(0, 600));
  node_.server.reset();
  node_.server = *node::ReadServer::start({.listen = address, .segmentSize = 64}, node_.dataPlane,
                                          node_.clock, node_.counters);
  EXPECT_EQ(read(0, 600), content_.substr(0, 600));
  EXPECT_EQ(client_->stats().getsFailed, 0u);
}

TEST_F(ClientTest, ServesManyThreadsAtOnce) {
  test::InProcessNode second;
  second.store.put("t/f", content_, "v1");
  connect({node_.serve(), second.serve()});
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (unsigned seed = 0; seed < 8; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      std::string buffer(2000, '?');
      for (int i = 0; i < 300; ++i) {
        const std::uint64_t offset = random() % 5000;
        const std::size_t count = random() % 2000;
        const auto got =
            client_->pread(file_, std::as_writable_bytes(std::span(buffer)).first(count), offset);
        wrong += !got || content_.compare(offset, count, buffer, 0, *got) != 0 ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(client_->stats().bytesFromBackingStore, 0u);
}

TEST(ClientCreate, NamesWhatIsWrongWithItsConfiguration) {
  const test::TemporaryDirectory directory;
  EXPECT_NE(Client::create({.storeRoot = directory / "absent"}).error().message.find("absent"),
            std::string::npos);
  const auto noRing =
      Client::create({.storeRoot = directory.path().string(), .ringFile = directory / "no-ring"});
  EXPECT_NE(noRing.error().message.find("no-ring"), std::string::npos);
}

}  // namespace
}  // namespace shift::client
