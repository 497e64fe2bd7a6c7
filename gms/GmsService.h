#pragma once

#include "gms/JobStore.h"
#include "thrift/GlobalMetadataStore.h"

namespace shift::gms {

/** The Thrift face of the job store: each call is one call on the store, and errors become the service's own.
 */
class GmsService final : public wire::GlobalMetadataStoreNull {
 public:
  explicit GmsService(JobStore& jobs) : jobs_(jobs) {}

  void registerJob(wire::Job& stored, const wire::Job& job, const wire::Caller& caller) override;
  void listJobs(wire::JobPage& page, const wire::JobQuery& query) override;
  void getJob(wire::Job& job, const std::string& id) override;
  void changeJob(wire::Job& job, const std::string& id, const wire::JobPatch& patch,
                 const wire::Caller& caller) override;

 private:
  JobStore& jobs_;
};

}  // namespace shift::gms
