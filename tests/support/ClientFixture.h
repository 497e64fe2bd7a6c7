#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "client-lib/Client.h"
#include "ring/RingFile.h"
#include "tests/support/InProcessNode.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::test {

/** A client with its own view of the store, and one node or more. */
class ClientFixture : public testing::Test {
 protected:
  void SetUp() override {
    for (MemoryStore* store : {&store_, &node_.store}) {
      store->put("t/f", content_, "v1");
    }
  }

  void connect(const std::vector<HostPort>& nodes) {
    std::vector<ring::Member> members;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      members.push_back({.id = "n" + std::to_string(i), .address = nodes[i]});
    }
    config_.ringFile = directory_.write("ring.toml", ring::formatRingFile(ring::Ring(std::move(members))));
    client_ = *client::Client::create(config_, store_, clock_);
    file_ = *client_->open("t/f");
  }

  std::string read(std::uint64_t offset, std::size_t count) {
    std::string buffer(count, '?');
    const Result<std::size_t> got = client_->pread(file_, std::as_writable_bytes(std::span(buffer)), offset);
    EXPECT_TRUE(got.ok()) << got.error().message;
    buffer.resize(got ? *got : 0);
    return buffer;
  }

  const std::string content_ = patternedBytes(5000, 1);
  const SystemClock clock_;
  TemporaryDirectory directory_;
  MemoryStore store_{"s"};
  InProcessNode node_;
  client::ClientConfig config_{
      .storeName = "s",
      .storeRoot = "",
      .ringFile = "",
      .blockSize = 512,
      .getDeadline = std::chrono::seconds(20),
      .connectTimeout = std::chrono::seconds(5),
      .breakerFailures = 2,
      .breakerPause = std::chrono::hours(1),
      .breakerMaxPause = std::chrono::hours(1),
      .hedgeShare = 0,  // a busy machine is slow at times; tests of hedging turn it on
      .readAhead = 0};
  std::unique_ptr<client::Client> client_;
  client::Handle file_{};
};

}  // namespace shift::test
