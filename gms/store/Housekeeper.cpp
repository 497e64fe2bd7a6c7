#include "gms/store/Housekeeper.h"

#include <fmt/format.h>

#include "common/Log.h"
#include "gms/spec/JobRules.h"
#include "gms/store/Entities.h"
#include "gms/store/JobRows.h"

namespace shift::gms {
namespace {

constexpr std::int64_t kHoursOfDemand = 24;
/** How long a request id is remembered, and who reported: longer than anybody repeats a request. */
constexpr std::int64_t kKeepRequestsMs = 24 * kMsPerHour;

std::int64_t milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

Intent ownIntent() {
  wire::Caller caller;
  caller.__set_actor("gms");
  return {caller, ""};
}

Result<std::int64_t> nothing(Database&) {
  return 0;
}

/** The ids, so that each job gets a transaction of its own and nobody waits long. */
std::vector<std::string> firstColumn(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) {
    texts.push_back(row.text(0));
  }
  return texts;
}

}  // namespace

Result<std::int64_t> Housekeeper::expireSilentJobs() {
  const std::int64_t now = store_.nowMs();
  const auto isSilent = [&](const wire::Job& job) {
    const Duration byState = job.state == wire::JobState::QUEUED ? config_.queuedTtl : config_.silentTtl;
    return job.heartbeatMs + (job.ttlMs > 0 ? job.ttlMs : milliseconds(byState)) < now;
  };
  const auto silent = store_.read([&](Database& database) -> Result<std::vector<std::string>> {
    return firstColumn(
        database.query("SELECT j.id FROM jobs j JOIN job_heartbeats h ON h.job = j.id WHERE j.state IN (0, "
                       "1) AND h.heartbeat_ms + "
                       "(CASE WHEN j.ttl_ms > 0 THEN j.ttl_ms WHEN j.state = 0 THEN CAST(?1 AS BIGINT) ELSE "
                       "CAST(?2 AS BIGINT) "
                       "END) < ?3",
                       {milliseconds(config_.queuedTtl), milliseconds(config_.silentTtl), now}));
  });
  if (!silent) {
    return silent.error();
  }
  std::int64_t expired = 0;
  for (const std::string& id : *silent) {
    const Result<std::int64_t> done = store_.write(
        ownIntent(),
        [&](Change& change) -> Result<std::int64_t> {
          const std::optional<wire::Job> job = findJob(change.database(), id);
          if (!job || isFinal(job->state) || !isSilent(*job)) {
            return 0;  // it has spoken since
          }
          writeJob(
              change, job,
              inState(*job, wire::JobState::EXPIRED, "no sign of life for its time to live", change.nowMs()));
          return 1;
        },
        nothing);
    if (!done) {
      return done.error();
    }
    expired += *done;
  }
  return expired;
}

Result<std::int64_t> Housekeeper::expandPredicates() {
  const auto tables = store_.read([](Database& database) -> Result<std::vector<std::string>> {
    return firstColumn(
        database.query("SELECT DISTINCT table_name FROM jobs WHERE state IN (0, 1) AND predicate <> ''"));
  });
  if (!tables) {
    return tables.error();
  }
  std::int64_t changed = 0;
  for (const std::string& table : *tables) {
    const Result<std::int64_t> jobs = expandTable(table);
    if (!jobs) {
      return jobs.error();
    }
    changed += *jobs;
  }
  return changed;
}

Result<std::int64_t> Housekeeper::expandTable(const std::string& name) {
  const Result<wire::Table> table = TableStore(store_).get(name);
  if (!table) {
    return table.error().code == ErrorCode::kNotFound ? Result<std::int64_t>(0) : table.error();
  }
  const Result<TableListing> listing = listTable_(*table);
  if (!listing) {
    logWarning(fmt::format("table \"{}\" cannot be listed; its jobs keep their partitions: {}", name,
                           listing.error().message));
    return 0;
  }
  const auto apply = [&](Change& change) -> Result<std::int64_t> {
    if (const auto bytes = static_cast<std::int64_t>(listing->bytes); table->storedBytes != bytes) {
      change.run("UPDATE tables SET stored_bytes = ?2 WHERE name = ?1", {std::string_view(name), bytes});
    }
    std::int64_t changed = 0;
    for (const std::string& id : firstColumn(change.database().query(
             "SELECT id FROM jobs WHERE state IN (0, 1) AND table_name = ?1 AND predicate <> ''",
             {std::string_view(name)}))) {
      const std::optional<wire::Job> job = findJob(change.database(), id);
      wire::Job wanted = *job;
      wanted.dataset.partitions = matching(*listing, *Predicate::parse(job->dataset.predicate));
      if (wanted.dataset.partitions == job->dataset.partitions) {
        continue;
      }
      if (encodedSize(wanted) > kMaxSpecBytes) {
        logWarning(
            fmt::format("the predicate of job \"{}\" gives too many partitions; it keeps those it had", id));
        continue;
      }
      writeJob(change, job, wanted);
      ++changed;
    }
    return changed;
  };
  return store_.write(ownIntent(), apply, nothing);
}

Status Housekeeper::forgetOldThings() {
  const Result<std::int64_t> done = store_.write(
      ownIntent(),
      [&](Change& change) -> Result<std::int64_t> {
        const std::int64_t oldest = change.nowMs() - milliseconds(config_.keepEnded);
        // A follower that has not asked since what is forgotten here must begin anew.
        change.run(
            "UPDATE store SET pruned_revision = (SELECT MAX(r) FROM (SELECT pruned_revision AS r FROM store "
            "UNION ALL SELECT COALESCE(MAX(revision), 0) FROM removed WHERE at_ms < ?1 "
            "UNION ALL SELECT COALESCE(MAX(revision), 0) FROM jobs WHERE ended_ms > 0 AND ended_ms < ?1) AS "
            "pruned)",
            {oldest});
        change.run("DELETE FROM removed WHERE at_ms < ?1", {oldest});
        change.run("DELETE FROM jobs WHERE state NOT IN (0, 1) AND ended_ms < ?1", {oldest});
        change.run("DELETE FROM audit WHERE at_ms < ?1", {oldest});
        change.run("DELETE FROM shadow WHERE updated_ms < ?1", {oldest});
        change.run("DELETE FROM requests WHERE at_ms < ?1", {change.nowMs() - kKeepRequestsMs});
        change.run("DELETE FROM reporters WHERE at_ms < ?1", {change.nowMs() - kKeepRequestsMs});
        change.run("DELETE FROM table_demand WHERE hour <= ?1",
                   {change.nowMs() / kMsPerHour - kHoursOfDemand});
        return 0;
      },
      nothing);
  return done ? Status() : Status(done.error());
}

}  // namespace shift::gms
