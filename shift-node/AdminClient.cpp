#include "shift-node/AdminClient.h"

#include "rpc/ThriftChannel.h"
#include "thrift/NodeAdmin.h"

namespace shift::node {

struct AdminClient::Channel {
  rpc::ThriftChannel<wire::NodeAdminClient> rpc;

  /** The generated stubs return by reference; this returns the value. */
  template <typename T>
  Result<T> call(void (wire::NodeAdminClient::*method)(T&)) {
    return rpc.call([&](wire::NodeAdminClient& stub) {
      T value;
      (stub.*method)(value);
      return value;
    });
  }
};

AdminClient::AdminClient(const HostPort& address, Duration timeout)
    : channel_(new Channel{{"node admin service", address, timeout}}) {}

AdminClient::~AdminClient() = default;

Result<wire::NodeStatus> AdminClient::status() {
  return channel_->call(&wire::NodeAdminClient::getStatus);
}

Result<std::vector<wire::NodeCounter>> AdminClient::counters() {
  return channel_->call(&wire::NodeAdminClient::getCounters);
}

Result<std::vector<wire::Traffic>> AdminClient::trafficByBucket() {
  return channel_->call(&wire::NodeAdminClient::getTrafficByBucket);
}

Result<std::vector<wire::Traffic>> AdminClient::trafficByJob() {
  return channel_->call(&wire::NodeAdminClient::getTrafficByJob);
}

}  // namespace shift::node
