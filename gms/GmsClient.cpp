#include "gms/GmsClient.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rpc/ThriftChannel.h"
#include "thrift/GlobalMetadataStore.h"

namespace shift::gms {

struct GmsClient::Channel {
  rpc::ThriftChannel<wire::GlobalMetadataStoreClient> rpc;

  /** One call; the service's exceptions become errors. */
  template <typename Invoke>
  auto call(Invoke invoke) -> decltype(rpc.call(invoke)) {
    try {
      return rpc.call(invoke);
    } catch (const wire::InvalidRequest& fault) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(fault.faults, "\n"))};
    } catch (const wire::NotFound& fault) {
      return Error{ErrorCode::kNotFound, fault.message};
    } catch (const wire::Conflict& fault) {
      return Error{ErrorCode::kAlreadyExists, fault.message};
    } catch (const wire::StoreUnavailable& fault) {
      return Error{ErrorCode::kUnavailable, fault.message};
    }
  }
};

GmsClient::GmsClient(const HostPort& address, Duration timeout)
    : channel_(new Channel{{"gms", address, timeout}}) {}

GmsClient::~GmsClient() = default;

Result<wire::Job> GmsClient::registerJob(const wire::Job& job) {
  return channel_->call([&](wire::GlobalMetadataStoreClient& stub) {
    wire::Job stored;
    stub.registerJob(stored, job);
    return stored;
  });
}

Result<std::vector<wire::Job>> GmsClient::listJobs(const std::vector<std::int32_t>& states) {
  return channel_->call([&](wire::GlobalMetadataStoreClient& stub) {
    std::vector<wire::Job> jobs;
    stub.listJobs(jobs, states);
    return jobs;
  });
}

Result<wire::Job> GmsClient::getJob(const std::string& id) {
  return channel_->call([&](wire::GlobalMetadataStoreClient& stub) {
    wire::Job job;
    stub.getJob(job, id);
    return job;
  });
}

Result<wire::Job> GmsClient::setJobState(const std::string& id, std::int32_t state) {
  return channel_->call([&](wire::GlobalMetadataStoreClient& stub) {
    wire::Job job;
    stub.setJobState(job, id, state);
    return job;
  });
}

}  // namespace shift::gms
