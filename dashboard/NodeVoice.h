#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/Result.h"
#include "thrift/admin_types.h"

namespace shift::dashboard {

/** What the dashboard asks of a node: over the network, or in its own process. Thread-safe. */
class NodeVoice {
 public:
  virtual ~NodeVoice() = default;

  virtual Result<wire::NodeStatus> status() = 0;
  /** The last hour, the oldest first; only what is younger than this time. */
  virtual Result<std::vector<wire::HistoryPoint>> history(std::int64_t afterMs) = 0;
  virtual Result<std::vector<wire::BucketView>> buckets(std::int32_t limit) = 0;
  virtual Result<std::vector<wire::Traffic>> trafficByJob() = 0;
  virtual Result<wire::BlockPlace> locate(const std::string& path, std::uint64_t offset) = 0;
  virtual Result<wire::Explanation> explain(const std::string& path, std::uint64_t offset,
                                            const std::string& job) = 0;
};

}  // namespace shift::dashboard
