#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client-lib/ClientConfig.h"
#include "common/HostPort.h"
#include "common/Result.h"

namespace shift::load {

/** What nodes returned to clients, and what they fetched for it, all jobs together. */
struct NodeTraffic {
  std::int64_t servedBytes = 0;
  std::int64_t fetchedBytes = 0;

  std::int64_t absorbedBytes() const { return servedBytes - fetchedBytes; }
};

/** Since when: the counters of every node at one moment, by its id. */
using NodeTrafficMark = std::map<std::string, NodeTraffic>;

/**
 * Asks the nodes of a ring for their counters, through their admin services. The ring does not say where
 * those are: either the caller does, or they are looked for at the port after the read protocol's, as in a
 * node's defaults; whoever answers there must call itself by the member's id. One thread.
 */
class NodeTrafficReader {
 public:
  /**
   * The nodes of a client's ring. Of a ring that comes from a GMS nothing is known beforehand: the nodes are
   * then those that `admins` names. No ring at all is a tier without nodes.
   */
  static Result<NodeTrafficReader> create(const client::ClientConfig& config,
                                          const std::vector<HostPort>& admins);

  /** Fails, and says why, unless every node answers. */
  Result<NodeTrafficMark> mark() const;

 private:
  std::vector<std::string> members_;  // ids, as far as they are known
  std::vector<HostPort> admins_;
  bool isRingKnown_ = true;
};

/** From one mark to a later one. Fails if a node began anew in between, or came or went. */
Result<NodeTraffic> trafficBetween(const NodeTrafficMark& before, const NodeTrafficMark& after);

}  // namespace shift::load
