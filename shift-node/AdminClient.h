#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "thrift/admin_types.h"

namespace shift::node {

/**
 * Talks to a node's admin service. Connects when first used and again after a failure. Thread-safe. What the
 * node refuses is an error with all its reasons, kInvalidArgument; a node that cannot be reached is
 * kUnavailable.
 */
class AdminClient {
 public:
  AdminClient(const HostPort& address, Duration timeout);
  ~AdminClient();

  Result<wire::NodeStatus> status();
  Result<std::vector<wire::NodeCounter>> counters();
  Result<std::vector<wire::Traffic>> trafficByBucket();
  Result<std::vector<wire::Traffic>> trafficByJob();
  Result<std::vector<wire::BucketView>> buckets(std::int32_t limit);
  Result<std::vector<wire::HistoryPoint>> history(std::int64_t afterMs);

  Result<std::vector<wire::NodeParameter>> parameters();
  Status setParameters(const std::map<std::string, std::string>& values);
  /** What setParameters() would say; nothing is changed. */
  Status checkParameters(const std::map<std::string, std::string>& values);
  Status resetParameters(const std::vector<std::string>& names);

  Result<wire::Explanation> explain(const std::string& path, std::uint64_t offset, const std::string& job);
  Result<wire::BlockPlace> locate(const std::string& path, std::uint64_t offset);

  Result<wire::TraceInfo> startTrace(std::uint64_t maxBytes);
  Result<wire::TraceInfo> stopTrace();
  Result<std::string> readTrace(std::uint64_t offset, std::uint32_t length);

  Result<wire::Eviction> evict(const std::string& path);
  Status flushCache();
  Result<wire::Verification> verifyCache(const std::string& cursor);

 private:
  struct Channel;
  std::unique_ptr<Channel> channel_;
};

}  // namespace shift::node
