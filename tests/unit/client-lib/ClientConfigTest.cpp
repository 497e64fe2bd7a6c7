#include "client-lib/ClientConfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/TemporaryDirectory.h"

namespace shift::client {
namespace {

TEST(ClientConfig, ReadsAFileAndOverrides) {
  const test::TemporaryDirectory directory;
  const std::string path =
      directory.write("client.toml", "verify = false\n[store]\nroot = \"/data\"\nname = \"w\"\n");
  const std::vector<std::string> overrides{"get_deadline=5s"};
  const Result<ClientConfig> config = loadClientConfig(path, overrides);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->storeRoot, "/data");
  EXPECT_EQ(config->storeName, "w");
  EXPECT_FALSE(config->verify);
  EXPECT_EQ(config->getDeadline, std::chrono::seconds(5));
}

TEST(ClientConfig, WhatItPrintsItReads) {
  const test::TemporaryDirectory directory;
  ClientConfig config;
  config.storeRoot = "/data";
  config.refresh = std::chrono::seconds(77);
  config.hedgeShare = 0.25;
  const Result<ClientConfig> read = loadClientConfig(directory.write("c.toml", printClientConfig(config)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->refresh, std::chrono::seconds(77));
  EXPECT_EQ(read->hedgeShare, 0.25);
  EXPECT_EQ(printClientConfig(*read), printClientConfig(config));
}

TEST(ClientConfig, RefusesWhatCannotWork) {
  EXPECT_THAT(loadClientConfig("").error().message, testing::HasSubstr("store.root: name the directory"));
  const std::vector<std::string> overrides{"store.root=/", "breaker.pause=10s", "breaker.max_pause=5s"};
  EXPECT_THAT(loadClientConfig("", overrides).error().message,
              testing::HasSubstr("shorter than breaker.pause"));
}

}  // namespace
}  // namespace shift::client
