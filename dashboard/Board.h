#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dashboard/Tier.h"
#include "dashboard/Timeline.h"

namespace shift::dashboard {

/** What a node tells only while somebody looks, for it costs the node more. */
struct NodeDetails {
  std::vector<wire::BucketView> buckets;
  std::vector<wire::Traffic> jobs;
};

/** What a node answered in one round of questions. */
struct NodeReport {
  wire::NodeStatus status;
  std::vector<wire::HistoryPoint> history;  // what is new of it
  std::optional<NodeDetails> details;
};

/**
 * What is known of the tier: of each node what it said last, whether it still answers, and its last hour,
 * also while it is down and after it has left. Asks nobody itself. Thread-safe.
 */
class Board {
 public:
  /** `kind`: "tier" or "node", so that the page can say whose it is. */
  explicit Board(std::string kind) : kind_(std::move(kind)) {}

  /** What one round brought: the tier, and for each of its nodes what it answered. */
  void adopt(const TierView& view, const std::vector<Result<NodeReport>>& answers, std::int64_t nowMs);
  /** After that: the tier itself could not be looked at, and its nodes and jobs were those of an earlier
   * round. */
  void failed(const std::string& why);

  /** The time up to which a node's history is known; 0: nothing is. */
  std::int64_t historyKnownUntil(const std::string& node) const;

  /** The document that the page is made of; of the history only what ends after `afterMs`. */
  nlohmann::json state(std::int64_t afterMs, std::int64_t nowMs) const;

 private:
  struct Record {
    TierNode node;  // without its voice
    bool isMember = false;
    std::string fault;                       // of the last round; empty: it answered
    std::int64_t heardMs = 0;                // 0: never
    std::optional<wire::NodeStatus> status;  // as it was last heard
    std::optional<NodeDetails> details;
    Timeline timeline;
  };

  nlohmann::json nodesJson() const;
  nlohmann::json bucketsJson() const;
  nlohmann::json jobsJson() const;
  nlohmann::json historyJson(std::int64_t afterMs, std::int64_t nowMs) const;

  const std::string kind_;
  mutable std::mutex mutex_;
  std::map<std::string, Record> records_;  // by the node's id
  std::vector<TierJob> jobs_;
  std::int64_t askedMs_ = 0;  // when the last round was; 0: there was none
  std::string fault_;
};

}  // namespace shift::dashboard
