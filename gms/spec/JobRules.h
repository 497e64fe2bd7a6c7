#pragma once

#include "gms/spec/TextRules.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/** A spec may take this much, encoded: an answer to a follower holds at least one. */
inline constexpr std::int64_t kMaxSpecBytes = 3 * 1024 * 1024;

/** Everything that is wrong with a job that is to be registered; empty = it can be stored. */
Faults faultsOf(const wire::Job& job);
/** The same of a change to a job. */
Faults faultsOf(const wire::JobPatch& patch);

/** What a follower may ask of where the job's data lies, once the table is known. */
Faults faultsWith(const wire::Job& job, const wire::Table& table);

/** The job as it is stored: directories in their one spelling, and nothing that only the store may set. */
wire::Job normalised(const wire::Job& job);

/** Whether two normalised jobs ask for the same. */
bool sameBody(const wire::Job& a, const wire::Job& b);

/** About what the job takes on the wire. */
std::int64_t encodedSize(const wire::Job& job);

/** Whether the job has ended: it is not read for any more. */
bool isFinal(std::int32_t state);

}  // namespace shift::gms
