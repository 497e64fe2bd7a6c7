#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "common/Clock.h"
#include "gms/store/JobStore.h"

namespace shift::gms {

/**
 * What must happen without anybody asking: silent jobs expire, predicates give their partitions anew, what is
 * too old is forgotten. Each body is to be called at its own pace, by one thread; of several processes on one
 * database each may do it. Errors are for the log: the next call tries again.
 */
class Housekeeper {
 public:
  struct Config {
    Duration silentTtl = std::chrono::hours(1);    // of running jobs that do not say otherwise
    Duration queuedTtl = std::chrono::hours(24);   // of jobs that nobody has started
    Duration keepEnded = std::chrono::hours(720);  // jobs that have ended, what was removed, the audit log
  };
  Housekeeper(const Config& config, MetadataStore& store, ListTable listTable)
      : config_(config), store_(store), listTable_(std::move(listTable)) {}

  /** Every few seconds. Returns how many jobs have expired. */
  Result<std::int64_t> expireSilentJobs();

  /**
   * Every minute: the partitions that live jobs' predicates give now, and how much each of their tables
   * holds. A table that cannot be listed keeps its jobs as they are. Returns how many jobs have changed.
   */
  Result<std::int64_t> expandPredicates();

  /** Every hour. */
  Status forgetOldThings();

 private:
  Result<std::int64_t> expandTable(const std::string& table);

  const Config config_;
  MetadataStore& store_;
  const ListTable listTable_;
};

}  // namespace shift::gms
