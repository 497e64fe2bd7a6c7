#include "gms/store/JobStore.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "gms/json/JobJson.h"
#include "gms/spec/JobRules.h"
#include "gms/store/Entities.h"
#include "gms/store/JobRows.h"

namespace shift::gms {
namespace {

constexpr std::int32_t kDefaultPage = 1000;
/** What the jobs of one answer may take. */
constexpr std::int64_t kMaxPageBytes = 4 * 1024 * 1024;
constexpr std::size_t kStates = 5;

Error noSuchJob(const std::string& id) {
  return {ErrorCode::kNotFound, fmt::format("no job \"{}\" is registered", id)};
}

Error invalid(const Faults& faults) {
  return {ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults, "\n"))};
}

Result<wire::Job> existing(Database& database, const std::string& id) {
  std::optional<wire::Job> job = findJob(database, id);
  return job ? Result<wire::Job>(*std::move(job)) : noSuchJob(id);
}

/** Forgets how far the job had come where its spec does not lead any more. */
void dropProgressOutside(Change& change, const wire::Job& job) {
  const std::unordered_set<std::string> kept(job.dataset.partitions.begin(), job.dataset.partitions.end());
  for (const wire::PartitionProgress& partition : progressOf(change.database(), job.id)) {
    if (!kept.contains(partition.directory)) {
      change.run("DELETE FROM job_progress WHERE job = ?1 AND directory = ?2", {job.id, partition.directory});
    }
  }
}

/** The states that a query asks for, in the places of a fixed statement; -1 is no state. */
std::array<std::int64_t, kStates> wantedStates(const wire::JobQuery& query) {
  std::array<std::int64_t, kStates> states{0, 1, 2, 3, 4};
  if (query.states.empty()) {
    return states;
  }
  states.fill(-1);
  for (const std::int32_t state : query.states) {
    if (state >= 0 && static_cast<std::size_t>(state) < kStates) {
      states.at(static_cast<std::size_t>(state)) = state;
    }
  }
  return states;
}

}  // namespace

Result<wire::Job> JobStore::registerJob(const wire::Job& job, const wire::Caller& caller) {
  return store(job, caller, OnOtherBody::kConflict);
}

Result<wire::Job> JobStore::replaceJob(const wire::Job& job, const wire::Caller& caller) {
  return store(job, caller, OnOtherBody::kReplace);
}

Result<wire::Table> JobStore::tableOf(const wire::Job& job) {
  return store_.read([&](Database& database) -> Result<wire::Table> {
    const std::vector<Row> rows = database.query(TableTraits::kGet, {job.dataset.table});
    return rows.empty() ? Result<wire::Table>(Error{ErrorCode::kNotFound, "no such table"})
                        : Result<wire::Table>(TableTraits::read(rows.front()));
  });
}

Result<Faults> JobStore::faultsIn(const wire::Job& job) {
  Faults faults = faultsOf(job);
  if (job.dataset.table.empty() || !isPlainText(job.dataset.table)) {
    return faults;
  }
  const Result<wire::Table> table = tableOf(job);
  if (table) {
    const Faults misplaced = faultsWith(job, *table);
    faults.insert(faults.end(), misplaced.begin(), misplaced.end());
  } else if (table.error().code != ErrorCode::kNotFound) {
    return table.error();
  } else {
    faults.push_back(fmt::format("dataset.table: no table \"{}\" is registered; put the table first",
                                 job.dataset.table.substr(0, kMaxNameLength)));
  }
  return faults;
}

Result<wire::Job> JobStore::prepare(const wire::Job& job) {
  const Result<Faults> faults = faultsIn(job);
  if (!faults) {
    return faults.error();
  }
  if (!faults->empty()) {
    return invalid(*faults);
  }
  wire::Job prepared = normalised(job);
  if (prepared.dataset.predicate.empty()) {
    return prepared;
  }
  const Result<wire::Table> table = tableOf(job);
  if (!table) {
    return table.error();  // it went just now
  }
  const Result<TableListing> listing = listTable_(*table);
  if (!listing) {
    return Error{ErrorCode::kInvalidArgument, "dataset.predicate: " + listing.error().message};
  }
  prepared.dataset.partitions = matching(*listing, *Predicate::parse(prepared.dataset.predicate));
  if (prepared.dataset.partitions.empty()) {
    return invalid({fmt::format("dataset.predicate matches none of the {} partitions of table \"{}\"",
                                listing->partitions.size(), table->name)});
  }
  if (encodedSize(prepared) > kMaxSpecBytes) {
    return invalid({fmt::format("dataset.predicate matches {} partitions; that is too many for one spec",
                                prepared.dataset.partitions.size())});
  }
  return prepared;
}

Result<wire::Job> JobStore::store(const wire::Job& job, const wire::Caller& caller, OnOtherBody onOtherBody) {
  Result<wire::Job> prepared = prepare(job);
  if (!prepared) {
    return prepared.error();
  }
  const bool replaces = onOtherBody == OnOtherBody::kReplace;
  const auto apply = [&](Change& change) -> Result<wire::Job> {
    wire::Job wanted = *prepared;
    const std::optional<wire::Job> known = findJob(change.database(), job.id);
    if (known && !replaces && !sameBody(*known, wanted)) {
      return Error{
          ErrorCode::kAlreadyExists,
          fmt::format("job \"{}\" is registered with another dataset or owner; choose another id, or "
                      "replace it",
                      job.id)};
    }
    const bool isLive = known && !isFinal(known->state);
    if (known && sameBody(*known, wanted) && (isLive || !replaces)) {
      return *known;
    }
    if (isLive) {
      wanted.__set_state(known->state);
      wanted.__set_startedMs(known->startedMs);
      dropProgressOutside(change, wanted);
    } else {
      change.run("DELETE FROM job_progress WHERE job = ?1", {job.id});
    }
    writeJob(change, known, wanted);
    writeHeartbeat(change, job.id);
    return existing(change.database(), job.id);
  };
  std::string what;
  if (!caller.requestId.empty()) {
    what =
        fmt::format("{} {}", replaces ? "replace job" : "register job", writeJson(toJson(normalised(job))));
  }
  return store_.write({caller, what}, apply, [&](Database& database) { return existing(database, job.id); });
}

Result<wire::Job> JobStore::changeJob(const std::string& id, const wire::JobPatch& patch,
                                      const wire::Caller& caller) {
  if (const Faults faults = faultsOf(patch); !faults.empty()) {
    return invalid(faults);
  }
  const auto apply = [&](Change& change) -> Result<wire::Job> {
    const std::optional<wire::Job> known = findJob(change.database(), id);
    if (!known) {
      return noSuchJob(id);
    }
    wire::Job wanted = *known;
    if (patch.__isset.state && patch.state != known->state) {
      if (isFinal(known->state)) {
        return Error{ErrorCode::kAlreadyExists,
                     fmt::format("job \"{}\" is {} and cannot become {}", id,
                                 nameOf(jobStates(), known->state), nameOf(jobStates(), patch.state))};
      }
      wanted = inState(wanted, patch.state, patch.reason, change.nowMs());
    }
    if (patch.__isset.owner) {
      wanted.__set_owner(patch.owner);
    }
    if (patch.__isset.expectedBytesPerSecond) {
      wanted.__set_expectedBytesPerSecond(patch.expectedBytesPerSecond);
    }
    if (patch.__isset.ttlMs) {
      wanted.__set_ttlMs(patch.ttlMs);
    }
    if (wanted != *known) {
      writeJob(change, known, wanted);
    }
    if (!isFinal(known->state)) {
      writeHeartbeat(change, id);
    }
    return existing(change.database(), id);
  };
  const std::string what =
      fmt::format("change job {} {} {} {} {} {}", id, patch.__isset.state ? patch.state : -1, patch.reason,
                  patch.expectedBytesPerSecond, patch.ttlMs, patch.owner);
  return store_.write({caller, what}, apply, [&](Database& database) { return existing(database, id); });
}

Status JobStore::deleteJob(const std::string& id, const wire::Caller& caller) {
  const auto apply = [&](Change& change) -> Status {
    const std::optional<wire::Job> known = findJob(change.database(), id);
    if (!known) {
      return noSuchJob(id);
    }
    change.run("DELETE FROM jobs WHERE id = ?1", {std::string_view(id)});
    change.removed(wire::ChangeKind::JOBS, id);
    change.audit("job", id, toJson(*known), nlohmann::json());
    return {};
  };
  return store_.write({caller, "delete job " + id}, apply, [](Database&) { return Status(); });
}

Result<wire::Job> JobStore::getJob(const std::string& id) {
  return store_.read([&](Database& database) -> Result<wire::Job> {
    Result<wire::Job> job = existing(database, id);
    if (job) {
      job->__set_progress(progressOf(database, id));
    }
    return job;
  });
}

Result<wire::JobPage> JobStore::listJobs(const wire::JobQuery& query) {
  if (query.__isset.limit && query.limit < 1) {
    return invalid({fmt::format("limit is {}; ask for at least one job", query.limit)});
  }
  return store_.read([&](Database& database) -> Result<wire::JobPage> {
    const std::array<std::int64_t, kStates> states = wantedStates(query);
    const std::int64_t limit = query.__isset.limit ? std::min(query.limit, kDefaultPage) : kDefaultPage;
    // First only how large they are, so that a page of very large specs is never read.
    std::int64_t bytes = 0;
    std::int64_t count = 0;
    std::string last;
    for (const Row& row :
         database.query("SELECT id, bytes FROM jobs WHERE id > ?1 AND state IN (?2, ?3, ?4, ?5, ?6) AND "
                        "(?7 = '' OR owner = ?7) AND (?8 = '' OR table_name = ?8) ORDER BY id LIMIT ?9",
                        {query.after, states[0], states[1], states[2], states[3], states[4], query.owner,
                         query.table, limit})) {
      bytes += row.number(1);
      if (count > 0 && bytes > kMaxPageBytes) {
        break;
      }
      ++count;
      last = row.text(0);
    }
    wire::JobPage page;
    if (count == 0) {
      return page;
    }
    for (const Row& row :
         database.query("SELECT * FROM job_rows WHERE id > ?1 AND state IN (?2, ?3, ?4, ?5, ?6) AND "
                        "(?7 = '' OR owner = ?7) AND (?8 = '' OR table_name = ?8) AND id <= ?9 ORDER BY id",
                        {query.after, states[0], states[1], states[2], states[3], states[4], query.owner,
                         query.table, last})) {
      page.jobs.push_back(jobFrom(row));
    }
    if (count == limit || bytes > kMaxPageBytes) {
      page.__set_last(last);
    }
    return page;
  });
}

}  // namespace shift::gms
