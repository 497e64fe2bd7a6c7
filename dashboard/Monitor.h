#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "dashboard/Board.h"
#include "dashboard/Tier.h"

namespace shift::dashboard {

/**
 * Asks the nodes of a tier and keeps what they say on a board. poll() is one round; whoever owns the monitor
 * calls it again and again, or when somebody asks. Nodes are asked side by side, and none is waited for
 * longer than its voice's timeout. Thread-safe; no lock is held while a node is asked.
 */
class Monitor {
 public:
  /** `kind`: "tier" or "node". `tier` and `clock` outlive the monitor. */
  Monitor(std::string kind, Tier& tier, const Clock& clock)
      : tier_(tier), clock_(clock), board_(std::move(kind)) {}

  void poll();

  /** Somebody looks: the next rounds ask for buckets and jobs too, for half a minute. */
  void watch();

  /** The document that the page is made of; of the history only what ends after `afterMs`. */
  nlohmann::json state(std::int64_t afterMs) const;

  /**
   * Where a file's block lives, whether it is cached, and what would become of a miss. Any node can tell
   * which block it is; the ring's owner tells the rest.
   */
  Result<nlohmann::json> explain(const std::string& path, std::uint64_t offset, const std::string& job) const;

 private:
  std::vector<Result<NodeReport>> askAll(const std::vector<TierNode>& nodes, bool withDetails) const;
  TierView lastView() const;

  Tier& tier_;
  const Clock& clock_;
  Board board_;
  std::atomic<Duration::rep> watchedAt_ = -1;  // since the clock's zero; -1: never
  mutable std::mutex mutex_;
  TierView view_;  // as it was last seen
};

}  // namespace shift::dashboard
