#include "gms/JobStore.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gms/JobRules.h"
#include "gms/Schema.h"

namespace shift::gms {
namespace {

constexpr const char* kSelectJobs =
    "SELECT sequence, id, owner, store, table_name, read_order, epochs, state, created_ms, updated_ms FROM "
    "jobs";

Error databaseFault(const DatabaseError& fault) {
  return {ErrorCode::kIo, fmt::format("database: {}", fault.what())};
}

Error noSuchJob(const std::string& id) {
  return {ErrorCode::kNotFound, fmt::format("no job \"{}\" is registered", id)};
}

bool isFinal(std::int32_t state) {
  return state == wire::JobState::FINISHED || state == wire::JobState::FAILED;
}

std::string nameOf(std::int32_t state) {
  const auto known = wire::_JobState_VALUES_TO_NAMES.find(state);
  return known == wire::_JobState_VALUES_TO_NAMES.end() ? std::to_string(state) : known->second;
}

}  // namespace

Result<std::unique_ptr<JobStore>> JobStore::open(const std::string& path, const Clock& clock) {
  try {
    Database database = Database::open(path);
    migrate(database);
    return std::unique_ptr<JobStore>(new JobStore(std::move(database), clock));
  } catch (const DatabaseError& fault) {
    return Error{ErrorCode::kIo, fault.what()};
  }
}

JobStore::JobStore(Database database, const Clock& clock) : database_(std::move(database)), clock_(clock) {}

Result<wire::Job> JobStore::registerJob(const wire::Job& job) {
  if (const std::vector<std::string> faults = faultsOf(job); !faults.empty()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults, "\n"))};
  }
  const wire::Job wanted = normalised(job);
  std::lock_guard lock(mutex_);
  try {
    Transaction transaction(database_);
    if (const std::vector<wire::Job> stored = findJob(job.id); !stored.empty()) {
      if (!sameBody(stored.front(), wanted)) {
        return Error{
            ErrorCode::kAlreadyExists,
            fmt::format("job \"{}\" is registered with another dataset or owner; choose another id", job.id)};
      }
      return stored.front();
    }
    insertJob(wanted, nowMs());
    std::vector<wire::Job> stored = findJob(job.id);
    transaction.commit();
    return std::move(stored.front());
  } catch (const DatabaseError& fault) {
    return databaseFault(fault);
  }
}

Result<std::vector<wire::Job>> JobStore::listJobs(const std::vector<std::int32_t>& states) {
  std::lock_guard lock(mutex_);
  try {
    // A set of states as a bit mask: one fixed statement serves every choice.
    std::int64_t mask = states.empty() ? ~std::int64_t{0} : 0;
    for (const std::int32_t state : states) {
      mask |= std::int64_t{1} << (static_cast<unsigned>(state) & 63U);
    }
    Statement rows =
        database_.prepare(fmt::format("{} WHERE ((1 << state) & ?1) != 0 ORDER BY sequence", kSelectJobs));
    rows.bind(1, mask);
    return readJobs(rows);
  } catch (const DatabaseError& fault) {
    return databaseFault(fault);
  }
}

Result<wire::Job> JobStore::getJob(const std::string& id) {
  std::lock_guard lock(mutex_);
  try {
    std::vector<wire::Job> found = findJob(id);
    if (found.empty()) {
      return noSuchJob(id);
    }
    return std::move(found.front());
  } catch (const DatabaseError& fault) {
    return databaseFault(fault);
  }
}

Result<wire::Job> JobStore::setJobState(const std::string& id, std::int32_t state) {
  std::lock_guard lock(mutex_);
  try {
    Transaction transaction(database_);
    std::vector<wire::Job> found = findJob(id);
    if (found.empty()) {
      return noSuchJob(id);
    }
    wire::Job& job = found.front();
    if (job.state == state) {
      return std::move(job);
    }
    if (isFinal(job.state) || !(state == wire::JobState::RUNNING || isFinal(state))) {
      return Error{ErrorCode::kAlreadyExists, fmt::format("job \"{}\" is {} and cannot become {}", id,
                                                          nameOf(job.state), nameOf(state))};
    }
    job.__set_state(state);
    job.__set_updatedMs(nowMs());
    database_.prepare("UPDATE jobs SET state = ?1, updated_ms = ?2 WHERE id = ?3")
        .bind(1, std::int64_t{state})
        .bind(2, job.updatedMs)
        .bind(3, id)
        .run();
    transaction.commit();
    return std::move(job);
  } catch (const DatabaseError& fault) {
    return databaseFault(fault);
  }
}

std::vector<wire::Job> JobStore::readJobs(Statement& rows) {
  std::vector<wire::Job> jobs;
  while (rows.step()) {
    const std::int64_t sequence = rows.number(0);
    wire::DatasetSpec dataset;
    dataset.__set_store(rows.text(3));
    dataset.__set_table(rows.text(4));
    dataset.__set_order(static_cast<std::int32_t>(rows.number(5)));
    dataset.__set_epochs(static_cast<std::int32_t>(rows.number(6)));
    dataset.__set_partitions(
        readList("SELECT directory FROM job_partitions WHERE job = ?1 ORDER BY position", sequence));
    dataset.__set_features(
        readList("SELECT feature FROM job_features WHERE job = ?1 ORDER BY position", sequence));
    wire::Job job;
    job.__set_id(rows.text(1));
    job.__set_owner(rows.text(2));
    job.__set_dataset(dataset);
    job.__set_state(static_cast<std::int32_t>(rows.number(7)));
    job.__set_createdMs(rows.number(8));
    job.__set_updatedMs(rows.number(9));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<wire::Job> JobStore::findJob(const std::string& id) {
  Statement rows = database_.prepare(fmt::format("{} WHERE id = ?1", kSelectJobs));
  rows.bind(1, id);
  return readJobs(rows);
}

void JobStore::insertJob(const wire::Job& job, std::int64_t nowMs) {
  Statement insert = database_.prepare(
      "INSERT INTO jobs (id, owner, store, table_name, read_order, epochs, state, created_ms, updated_ms) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8) RETURNING sequence");
  insert.bind(1, job.id)
      .bind(2, job.owner)
      .bind(3, job.dataset.store)
      .bind(4, job.dataset.table)
      .bind(5, std::int64_t{job.dataset.order})
      .bind(6, std::int64_t{job.dataset.epochs})
      .bind(7, static_cast<std::int64_t>(wire::JobState::QUEUED))
      .bind(8, nowMs);
  insert.step();
  const std::int64_t sequence = insert.number(0);
  insert.run();
  insertList("INSERT INTO job_partitions (job, position, directory) VALUES (?1, ?2, ?3)", sequence,
             job.dataset.partitions);
  insertList("INSERT INTO job_features (job, position, feature) VALUES (?1, ?2, ?3)", sequence,
             job.dataset.features);
}

void JobStore::insertList(const char* sql, std::int64_t job, const std::vector<std::string>& entries) {
  Statement insert = database_.prepare(sql);
  for (std::size_t position = 0; position < entries.size(); ++position) {
    insert.bind(1, job).bind(2, static_cast<std::int64_t>(position)).bind(3, entries[position]).run();
    insert.reset();
  }
}

std::vector<std::string> JobStore::readList(const char* sql, std::int64_t job) {
  Statement rows = database_.prepare(sql);
  rows.bind(1, job);
  std::vector<std::string> entries;
  while (rows.step()) {
    entries.push_back(rows.text(0));
  }
  return entries;
}

std::int64_t JobStore::nowMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock_.wallNow().time_since_epoch()).count();
}

}  // namespace shift::gms
