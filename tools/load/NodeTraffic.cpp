#include "tools/load/NodeTraffic.h"

#include <algorithm>

#include "ring/RingFile.h"
#include "shift-node/AdminClient.h"

namespace shift::load {
namespace {

constexpr Duration kTimeout = std::chrono::seconds(2);

Error unknown(const std::string& why) {
  return {ErrorCode::kUnavailable, why};
}

}  // namespace

Result<NodeTrafficReader> NodeTrafficReader::create(const client::ClientConfig& config,
                                                    const std::vector<HostPort>& admins) {
  NodeTrafficReader reader;
  reader.admins_ = admins;
  if (config.ringFile.empty()) {
    reader.isRingKnown_ = config.gms.empty();
    return reader;
  }
  const Result<ring::Ring> ring = ring::readRingFile(config.ringFile);
  if (!ring) {
    return ring.error();
  }
  for (const ring::Member& member : ring->members()) {
    reader.members_.push_back(member.id);
    if (admins.empty()) {
      reader.admins_.push_back({member.address.host, static_cast<std::uint16_t>(member.address.port + 1)});
    }
  }
  return reader;
}

Result<NodeTrafficMark> NodeTrafficReader::mark() const {
  if (!isRingKnown_ && admins_.empty()) {
    return unknown("the ring comes from a GMS; --admin HOST:PORT, once for each node, says whom to ask");
  }
  NodeTrafficMark mark;
  std::string silent;
  for (const HostPort& address : admins_) {
    node::AdminClient admin(address, kTimeout);
    const auto status = admin.status();
    const auto counters = status ? admin.counters() : status.error();
    if (!counters) {
      silent += (silent.empty() ? "" : "; ") + counters.error().message;
      continue;
    }
    if (!members_.empty() && std::find(members_.begin(), members_.end(), status->id) == members_.end()) {
      continue;  // somebody else, at a port that was only guessed
    }
    NodeTraffic& traffic = mark[status->id];
    for (const wire::NodeCounter& counter : *counters) {
      if (counter.name == "node_served_bytes_total") {
        traffic.servedBytes = counter.value;
      } else if (counter.name == "node_backing_bytes_total") {
        traffic.fetchedBytes = counter.value;
      }
    }
  }
  if (!isRingKnown_ && !silent.empty()) {
    return unknown(silent);
  }
  for (const std::string& member : members_) {
    if (!mark.contains(member)) {
      return unknown("no admin service of node " + member + " answered; --admin HOST:PORT says where it is" +
                     (silent.empty() ? "" : " (" + silent + ")"));
    }
  }
  return mark;
}

Result<NodeTraffic> trafficBetween(const NodeTrafficMark& before, const NodeTrafficMark& after) {
  NodeTraffic sum;
  for (const auto& [id, then] : before) {
    const auto now = after.find(id);
    if (now == after.end()) {
      return unknown("node " + id + " went away");
    }
    if (now->second.servedBytes < then.servedBytes || now->second.fetchedBytes < then.fetchedBytes) {
      return unknown("node " + id + " began anew during the run");
    }
    sum.servedBytes += now->second.servedBytes - then.servedBytes;
    sum.fetchedBytes += now->second.fetchedBytes - then.fetchedBytes;
  }
  if (after.size() != before.size()) {
    return unknown("a node came during the run");
  }
  return sum;
}

}  // namespace shift::load
