#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "blocks/Geometry.h"
#include "client-lib/Eligibility.h"
#include "common/ByteSize.h"
#include "common/Clock.h"
#include "common/Result.h"

namespace shift::client {

/** Everything a client can be told. The meaning of each field is in ClientConfig.cpp. */
struct ClientConfig {
  std::string storeName = "default";
  std::string storeRoot;
  std::string ringFile;
  std::string ruleFile;
  std::string gms;
  std::string gmsSnapshot;
  Duration gmsTimeout = std::chrono::seconds(2);
  Duration refresh = std::chrono::seconds(5);
  DiskFleet disks;
  std::uint64_t blockSize = kDefaultBlockSize;
  bool verify = true;
  Duration getDeadline = std::chrono::seconds(2);
  Duration connectTimeout = std::chrono::milliseconds(250);
  std::uint32_t breakerFailures = 3;
  Duration breakerPause = std::chrono::seconds(1);
  Duration breakerMaxPause = std::chrono::seconds(30);
  Duration hedgeAfter = std::chrono::milliseconds(50);
  double hedgeShare = 0.05;
  std::uint64_t readAhead = 4 * kMiB;
  std::uint64_t readAheadTotal = 64 * kMiB;
  std::uint32_t readAheadThreads = 4;
  std::string metricsFile;
  Duration metricsEvery = std::chrono::seconds(15);
};

/** Reads a TOML file, then `overrides` ("key=value"). The error lists every fault, one a line. */
Result<ClientConfig> loadClientConfig(const std::string& path, std::span<const std::string> overrides = {});

/** Every setting with its meaning, limits and present value, as a file that loadClientConfig() reads. */
std::string printClientConfig(ClientConfig config);

}  // namespace shift::client
