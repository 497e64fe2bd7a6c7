#pragma once

#include <functional>
#include <string>

#include "common/Result.h"
#include "gms/hive/PartitionListing.h"
#include "gms/spec/TextRules.h"
#include "gms/store/MetadataStore.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/** Lists a table through the backing store. The error says why that cannot be done. */
using ListTable = std::function<Result<TableListing>(const wire::Table&)>;

/**
 * The jobs and their dataset specs. Thread-safe. Errors: kInvalidArgument (every fault, one a line),
 * kNotFound, kAlreadyExists (a conflict), kUnavailable.
 */
class JobStore {
 public:
  JobStore(MetadataStore& store, ListTable listTable) : store_(store), listTable_(std::move(listTable)) {}

  /** Stores a job as queued. The same job again is answered as it stands; the same id with another body
   * conflicts.
   */
  Result<wire::Job> registerJob(const wire::Job& job, const wire::Caller& caller);
  /** The same, but another body replaces what is stored. An ended job is queued anew, without progress. */
  Result<wire::Job> replaceJob(const wire::Job& job, const wire::Caller& caller);
  /** Leaving a final state is a conflict; repeating it is not. */
  Result<wire::Job> changeJob(const std::string& id, const wire::JobPatch& patch, const wire::Caller& caller);
  Status deleteJob(const std::string& id, const wire::Caller& caller);

  /** Everything that is wrong with a job that is to be stored, as far as can be said without listing its
   * table. */
  Result<Faults> faultsIn(const wire::Job& job);

  /** With its progress. */
  Result<wire::Job> getJob(const std::string& id);
  Result<wire::JobPage> listJobs(const wire::JobQuery& query);

 private:
  enum class OnOtherBody { kConflict, kReplace };
  Result<wire::Job> store(const wire::Job& job, const wire::Caller& caller, OnOtherBody onOtherBody);
  /** kNotFound if there is none. */
  Result<wire::Table> tableOf(const wire::Job& job);
  /** The job as it is to be stored, with the partitions that its predicate gives. */
  Result<wire::Job> prepare(const wire::Job& job);

  MetadataStore& store_;
  const ListTable listTable_;
};

}  // namespace shift::gms
