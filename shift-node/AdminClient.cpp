#include "shift-node/AdminClient.h"

#include "rpc/ThriftChannel.h"
#include "thrift/NodeAdmin.h"

namespace shift::node {
namespace {

Error refusedBy(const wire::Refused& refusal) {
  std::string all;
  for (const std::string& fault : refusal.faults) {
    all += (all.empty() ? "" : "; ") + fault;
  }
  return {ErrorCode::kInvalidArgument, all};
}

}  // namespace

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

Result<std::vector<wire::NodeParameter>> AdminClient::parameters() {
  return channel_->call(&wire::NodeAdminClient::getParameters);
}

Status AdminClient::setParameters(const std::map<std::string, std::string>& values) {
  try {
    const Result<bool> done = channel_->rpc.call([&](wire::NodeAdminClient& stub) {
      stub.setParameters(values);
      return true;
    });
    return done ? Status() : Status(done.error());
  } catch (const wire::Refused& refusal) {
    return refusedBy(refusal);
  }
}

Result<wire::Explanation> AdminClient::explain(const std::string& path, std::uint64_t offset,
                                               const std::string& job) {
  try {
    return channel_->rpc.call([&](wire::NodeAdminClient& stub) {
      wire::Explanation explanation;
      stub.explain(explanation, path, static_cast<std::int64_t>(offset), job);
      return explanation;
    });
  } catch (const wire::Refused& refusal) {
    return refusedBy(refusal);
  }
}

}  // namespace shift::node
