#pragma once

#include "gms/JobStore.h"
#include "thrift/GlobalMetadataStore.h"

namespace shift::gms {

/** The Thrift face of the job store: each call is one call on the store, and errors become the service's own.
 */
class GmsService final : public wire::GlobalMetadataStoreIf {
 public:
  explicit GmsService(JobStore& jobs) : jobs_(jobs) {}

  void registerJob(wire::Job& stored, const wire::Job& job) override;
  void listJobs(std::vector<wire::Job>& jobs, const std::vector<std::int32_t>& states) override;
  void getJob(wire::Job& job, const std::string& id) override;
  void setJobState(wire::Job& job, const std::string& id, std::int32_t state) override;

 private:
  JobStore& jobs_;
};

}  // namespace shift::gms
