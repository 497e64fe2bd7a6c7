#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "common/Clock.h"
#include "common/Counters.h"
#include "common/Result.h"
#include "gms/Snapshot.h"

namespace shift::gms {

class GmsClient;

/**
 * Follows the GMS: keeps a snapshot of the kinds it was asked for, up to date by asking what has changed
 * since the last time. A GMS that does not answer changes nothing: the snapshot stays, also across a restart
 * of this process if there is a file to keep it in, and counters tell how old it is. A GMS whose database was
 * replaced is followed from its beginning; what is gone there is reported as ended.
 *
 * tick() is the loop's body: one thread, about every 0.5 s in nodes and 5 s in clients. The rest is for any
 * thread.
 */
class GmsFollower {
 public:
  struct Config {
    std::int32_t kinds = 0;     // wire::ChangeKind, or-ed
    std::string file;           // where the snapshot survives a restart; empty: nowhere
    std::string counterPrefix;  // "node", "client"
  };
  using Source = std::function<Result<wire::Changes>(const wire::ChangesRequest&)>;
  /** Called by tick() after the snapshot has changed, with what is new in it. */
  using Listener = std::function<void(const Snapshot&, const SnapshotUpdate&)>;

  GmsFollower(Config config, Source source, Listener listener, const Clock& clock, CounterRegistry& counters);
  /** Saves the snapshot, if it has a file and is newer than that. */
  ~GmsFollower();

  /** A source that asks this client, which must outlive the follower. */
  static Source asking(GmsClient& client);

  /**
   * Asks the GMS once, through all pages. The first call begins with what the file holds. The error is the
   * GMS's; it has been counted, and what was known stands.
   */
  Status tick();

  /** Never null; empty before the first tick. */
  std::shared_ptr<const Snapshot> snapshot() const;

  struct Health {
    bool connected = false;                // the last tick got its answer
    std::optional<TimePoint> lastContact;  // none: never since the start
    std::int64_t failures = 0;
  };
  Health health() const;

 private:
  void restore();
  Status ask();
  void publish(const SnapshotMerge::Outcome& outcome);
  void saveIfDue();
  void noteContact(bool answered);

  const Config config_;
  const Source source_;
  const Listener listener_;
  const Clock& clock_;
  Counter& failures_;
  Counter& connected_;
  Counter& staleness_;
  Counter& revision_;

  // Of the ticking thread.
  const TimePoint started_;
  bool restored_ = false;
  std::int64_t savedRevision_ = 0;
  std::string savedInstance_;
  TimePoint nextSave_;

  mutable std::mutex mutex_;
  std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<Snapshot>();
  Health health_;
};

}  // namespace shift::gms
