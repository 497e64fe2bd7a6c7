#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/**
 * Talks to a GMS. Connects when first used and again after a failure. Thread-safe. Errors carry the store's
 * own words: kInvalidArgument with every fault, kNotFound, kAlreadyExists (a conflict), kUnavailable.
 */
class GmsClient {
 public:
  GmsClient(const HostPort& address, Duration timeout);
  ~GmsClient();

  Result<wire::Job> registerJob(const wire::Job& job);
  Result<std::vector<wire::Job>> listJobs(const std::vector<std::int32_t>& states = {});
  Result<wire::Job> getJob(const std::string& id);
  Result<wire::Job> setJobState(const std::string& id, std::int32_t state);

 private:
  struct Channel;
  std::unique_ptr<Channel> channel_;
};

}  // namespace shift::gms
