#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gms/store/Change.h"
#include "thrift/gms_types.h"

namespace shift::gms {

// Jobs as rows of the database. Lists lie in one column each, an entry a line: they are read and written only
// as a whole, and no entry holds a control character. All throw DatabaseError.

/** A row of job_rows. */
wire::Job jobFrom(const Row& row);

std::optional<wire::Job> findJob(Database& database, const std::string& id);
/** How far it has come, by directory. */
std::vector<wire::PartitionProgress> progressOf(Database& database, const std::string& id);

/** Makes or replaces the row, with this change's time and revision, and enters it in the audit log. */
void writeJob(Change& change, const std::optional<wire::Job>& before, wire::Job job);
/** A sign of life, which is no news to followers. */
void writeHeartbeat(Change& change, const std::string& id);

/** The job in another state, with the times that belong to it. */
wire::Job inState(wire::Job job, std::int32_t state, const std::string& reason, std::int64_t nowMs);

}  // namespace shift::gms
