#pragma once

#include "dashboard/NodeVoice.h"
#include "shift-node/AdminClient.h"

namespace shift::dashboard {

/** A node that is asked over its admin service. */
class RemoteNode final : public NodeVoice {
 public:
  RemoteNode(const HostPort& address, Duration timeout) : client_(address, timeout) {}

  Result<wire::NodeStatus> status() override { return client_.status(); }
  Result<std::vector<wire::HistoryPoint>> history(std::int64_t afterMs) override {
    return client_.history(afterMs);
  }
  Result<std::vector<wire::BucketView>> buckets(std::int32_t limit) override {
    return client_.buckets(limit);
  }
  Result<std::vector<wire::Traffic>> trafficByJob() override { return client_.trafficByJob(); }
  Result<wire::BlockPlace> locate(const std::string& path, std::uint64_t offset) override {
    return client_.locate(path, offset);
  }
  Result<wire::Explanation> explain(const std::string& path, std::uint64_t offset,
                                    const std::string& job) override {
    return client_.explain(path, offset, job);
  }

 private:
  node::AdminClient client_;
};

}  // namespace shift::dashboard
