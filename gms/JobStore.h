#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Result.h"
#include "gms/Database.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/**
 * The jobs and their dataset specs, in a database. What a call has answered is durable. Thread-safe: one call
 * at a time. Errors: kInvalidArgument (every fault, one a line), kNotFound, kAlreadyExists (a conflict), kIo.
 */
class JobStore {
 public:
  /** Opens or makes the database file and brings its schema up to date. */
  static Result<std::unique_ptr<JobStore>> open(const std::string& path, const Clock& clock);

  /** Stores a job as queued. The same job again is answered as it stands; the same id with another body
   * conflicts. */
  Result<wire::Job> registerJob(const wire::Job& job);

  /** Jobs in any of these states, or all if none is given, by time of registration. */
  Result<std::vector<wire::Job>> listJobs(const std::vector<std::int32_t>& states);

  Result<wire::Job> getJob(const std::string& id);

  /** To RUNNING, FINISHED or FAILED. Repeating a state is no fault; leaving a final one is a conflict. */
  Result<wire::Job> setJobState(const std::string& id, std::int32_t state);

 private:
  JobStore(Database database, const Clock& clock);

  // Called with mutex_ held; these throw DatabaseError.
  std::vector<wire::Job> readJobs(Statement& rows);
  std::vector<wire::Job> findJob(const std::string& id);
  void insertJob(const wire::Job& job, std::int64_t nowMs);
  void insertList(const char* sql, std::int64_t job, const std::vector<std::string>& entries);
  std::vector<std::string> readList(const char* sql, std::int64_t job);
  std::int64_t nowMs() const;

  std::mutex mutex_;
  Database database_;
  const Clock& clock_;
};

}  // namespace shift::gms
