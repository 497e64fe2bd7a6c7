#include "shift-node/AdminClient.h"

#include "rpc/ThriftChannel.h"
#include "shift-node/AdminSums.h"
#include "thrift/NodeAdmin.h"

namespace shift::node {

struct AdminClient::Channel {
  rpc::ThriftChannel<wire::NodeAdminClient> rpc;

  /** `ask` is given the stub; what it throws as a refusal becomes an error. */
  template <typename Ask>
  auto call(Ask ask) -> decltype(rpc.call(ask)) {
    try {
      return rpc.call(ask);
    } catch (const wire::Refused& refusal) {
      return toError(refusal);
    }
  }

  /** The generated stubs return by reference; this returns the value. */
  template <typename T, typename... Taken, typename... Given>
  Result<T> get(void (wire::NodeAdminClient::*method)(T&, Taken...), Given... given) {
    return call([&](wire::NodeAdminClient& stub) {
      T value;
      (stub.*method)(value, given...);
      return value;
    });
  }

  template <typename... Taken, typename... Given>
  Status tell(void (wire::NodeAdminClient::*method)(Taken...), const Given&... given) {
    const Result<bool> done = call([&](wire::NodeAdminClient& stub) {
      (stub.*method)(given...);
      return true;
    });
    return done ? Status() : Status(done.error());
  }
};

AdminClient::AdminClient(const HostPort& address, Duration timeout)
    : channel_(new Channel{{"node admin service", address, timeout}}) {}

AdminClient::~AdminClient() = default;

Result<wire::NodeStatus> AdminClient::status() {
  return channel_->get(&wire::NodeAdminClient::getStatus);
}

Result<std::vector<wire::NodeCounter>> AdminClient::counters() {
  return channel_->get(&wire::NodeAdminClient::getCounters);
}

Result<std::vector<wire::Traffic>> AdminClient::trafficByBucket() {
  return channel_->get(&wire::NodeAdminClient::getTrafficByBucket);
}

Result<std::vector<wire::Traffic>> AdminClient::trafficByJob() {
  return channel_->get(&wire::NodeAdminClient::getTrafficByJob);
}

Result<std::vector<wire::BucketView>> AdminClient::buckets(std::int32_t limit) {
  return channel_->get(&wire::NodeAdminClient::getBuckets, limit);
}

Result<std::vector<wire::HistoryPoint>> AdminClient::history(std::int64_t afterMs) {
  return channel_->get(&wire::NodeAdminClient::getHistory, afterMs);
}

Result<std::vector<wire::NodeParameter>> AdminClient::parameters() {
  return channel_->get(&wire::NodeAdminClient::getParameters);
}

Status AdminClient::setParameters(const std::map<std::string, std::string>& values) {
  return channel_->tell(&wire::NodeAdminClient::setParameters, values, false);
}

Status AdminClient::checkParameters(const std::map<std::string, std::string>& values) {
  return channel_->tell(&wire::NodeAdminClient::setParameters, values, true);
}

Status AdminClient::resetParameters(const std::vector<std::string>& names) {
  return channel_->tell(&wire::NodeAdminClient::resetParameters, names);
}

Result<wire::Explanation> AdminClient::explain(const std::string& path, std::uint64_t offset,
                                               const std::string& job) {
  return channel_->get(&wire::NodeAdminClient::explain, path, static_cast<std::int64_t>(offset), job);
}

Result<wire::BlockPlace> AdminClient::locate(const std::string& path, std::uint64_t offset) {
  return channel_->get(&wire::NodeAdminClient::locate, path, static_cast<std::int64_t>(offset));
}

Result<wire::TraceInfo> AdminClient::startTrace(std::uint64_t maxBytes) {
  return channel_->get(&wire::NodeAdminClient::startTrace, static_cast<std::int64_t>(maxBytes));
}

Result<wire::TraceInfo> AdminClient::stopTrace() {
  return channel_->get(&wire::NodeAdminClient::stopTrace);
}

Result<std::string> AdminClient::readTrace(std::uint64_t offset, std::uint32_t length) {
  return channel_->get(&wire::NodeAdminClient::readTrace, static_cast<std::int64_t>(offset),
                       static_cast<std::int32_t>(length));
}

Result<wire::Eviction> AdminClient::evict(const std::string& path) {
  return channel_->get(&wire::NodeAdminClient::evict, path);
}

Status AdminClient::flushCache() {
  return channel_->tell(&wire::NodeAdminClient::flushCache);
}

Result<wire::Verification> AdminClient::verifyCache(const std::string& cursor) {
  return channel_->get(&wire::NodeAdminClient::verifyCache, cursor);
}

}  // namespace shift::node
