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
  std::uint64_t flashEndurance = 0;
  std::string eviction = "score";
  std::string flashIo = "auto";
  std::uint64_t segmentSize = kDefaultSegmentSize;
  std::string policy = "auto";  // resolvedPolicy() says which that is
  std::string mapping = "directory";
  std::string arm;
  control::Parameters parameters;
  std::uint64_t blockSize = kDefaultBlockSize;
  std::string ringFile;
  std::string gms;
  std::string gmsSnapshot;
  std::string stateFile;
  std::string traceDirectory;
  std::uint32_t serverThreads = 0;
  std::string congestionControl;
  std::uint32_t maxConnections = 4096;
  std::uint64_t maxInFlightBytes = 512 * kMiB;
  std::uint64_t maxLentBytes = 256 * kMiB;
  Duration drainTimeout = std::chrono::seconds(5);
  std::uint32_t fillThreads = 8;
  std::uint64_t maxBackingRead = 8 * kMiB;
  std::uint64_t maxQueuedFills = 256 * kMiB;
};

void describe(NodeConfig& config, ConfigSchema& schema);

/** The policy's name, with "auto" made out: planned if there is a GMS to plan by, else admit-all. */
std::string resolvedPolicy(const NodeConfig& config);

/** What the control plane is made with. The names of policy and mapping are taken from the configuration's
 * own fields. */
control::Parameters controlParameters(const NodeConfig& config);

}  // namespace shift::node
