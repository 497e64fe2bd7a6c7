#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "client-lib/ClientConfig.h"
#include "client-lib/ClusterView.h"
#include "client-lib/PastCache.h"
#include "client-lib/Shadow.h"
#include "client-lib/WatchedFile.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "common/Result.h"
#include "thrift/gms_types.h"

namespace shift::gms {
class GmsClient;
class GmsFollower;
struct Snapshot;
}  // namespace shift::gms

namespace shift::client {

/**
 * Keeps a client's view of the tier true: the ring and the eligibility rules, from files that it looks at
 * again and again or from the GMS, whichever is configured. A file that is broken or a GMS that is away
 * changes nothing: the last good view stands. Nodes that stay in the ring at their address keep their
 * connections and what is known of their health.
 *
 * tick() is the loop's body, for one thread; view() is for any.
 */
class ClusterWatcher {
 public:
  /** Fails if a file that is named cannot be read now. What `past` and `shadow` find, tick() reports to the
   * GMS. */
  static Result<std::unique_ptr<ClusterWatcher>> create(const ClientConfig& config, const Clock& clock,
                                                        PastCache& past, Shadow& shadow);
  ~ClusterWatcher();

  /** Never null. */
  std::shared_ptr<const ClusterView> view() const;

  void tick();

  /** Whether what is watched can change at all. */
  bool isWatching() const;

 private:
  ClusterWatcher(const ClientConfig& config, const Clock& clock, PastCache& past, Shadow& shadow);

  /** Both: whether there is something new; an error leaves what is known as it is. */
  Result<bool> readRing();
  Result<bool> readRules();
  void follow(const gms::Snapshot& snapshot);
  void report();
  /** What there is to say; without a sequence if there is nothing. */
  wire::Report makeReport();
  void publish();

  const ClientConfig config_;
  const Clock& clock_;
  PastCache& past_;
  Shadow& shadow_;
  CounterRegistry counters_;
  std::unique_ptr<gms::GmsClient> gms_;
  std::unique_ptr<gms::GmsFollower> follower_;
  std::string reporter_;
  std::int64_t reports_ = 0;  // that have arrived

  // Of the ticking thread.
  WatchedFile ringFile_;
  WatchedFile ruleFile_;
  wire::Report unreported_;  // sent, not known to have arrived; empty: nothing is
  ring::Ring ring_;
  std::set<std::string> down_;  // ids of members that are not asked
  Eligibility eligibility_;

  mutable std::mutex mutex_;
  std::shared_ptr<const ClusterView> view_;
};

}  // namespace shift::client
