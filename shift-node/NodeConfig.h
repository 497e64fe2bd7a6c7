#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backing-store/DiskConfig.h"
#include "blocks/Geometry.h"
#include "common/Clock.h"
#include "common/HostPort.h"
#include "control-plane/Parameters.h"

namespace shift {
class ConfigSchema;
}

namespace shift::node {

/** Everything an operator can set on a node. The meaning of each field is in describe(), and in
 * --print-config. */
struct NodeConfig {
  std::string id = "node";
  HostPort listen{"127.0.0.1", 7400};
  HostPort adminListen{"127.0.0.1", 7401};
  std::string metricsListen = "127.0.0.1:7402";
  std::uint32_t maxSeries = 200;
  std::string storeName = "default";
  std::string storeRoot;
  store::DiskConfig disks;
  std::uint64_t dramBytes = 1 * kGiB;
  std::vector<std::string> flashFiles;
  std::uint64_t flashBytes = 0;
  std::string eviction = "score";
  std::string flashIo = "auto";
  std::uint64_t segmentSize = kDefaultSegmentSize;
  std::string policy = "auto";  // resolvedPolicy() says which that is
  std::string mapping = "directory";
  control::Parameters parameters;
  std::uint64_t blockSize = kDefaultBlockSize;
  std::string ringFile;
  std::string gms;
  std::string gmsSnapshot;
  std::uint32_t serverThreads = 2;
  std::uint32_t maxConnections = 4096;
  std::uint64_t maxInFlightBytes = 512 * kMiB;
  Duration drainTimeout = std::chrono::seconds(5);
  std::uint32_t fillThreads = 8;
  std::uint64_t maxBackingRead = 8 * kMiB;
  std::uint64_t maxQueuedFills = 256 * kMiB;
};

void describe(NodeConfig& config, ConfigSchema& schema);

/** The policy's name, with "auto" made out: planned if there is a GMS to plan by, else admit-all. */
std::string resolvedPolicy(const NodeConfig& config);

/**
 * The control plane's parameters with these "key=value" in place of what the configuration says; only
 * policy.* can be set so. Throws ConfigError.
 */
control::Parameters controlParametersWith(const NodeConfig& config,
                                          const std::vector<std::string>& overrides);

/** What the control plane is made with, if the policy is one of its own. The names of policy and mapping are
 * taken from the configuration's own fields. */
control::Parameters controlParameters(const NodeConfig& config);

/** The configuration with these parameters in place of those that it came with: what is in force. */
NodeConfig withParameters(NodeConfig config, const control::Parameters& parameters);

}  // namespace shift::node
