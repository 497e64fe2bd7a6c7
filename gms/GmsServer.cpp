#include "gms/GmsServer.h"

#include "common/Log.h"
#include "gms/GmsService.h"

namespace shift::gms {

Result<std::unique_ptr<RunningServer>> GmsServer::start(const GmsConfig& config, const Clock& clock) {
  Result<std::unique_ptr<JobStore>> jobs = JobStore::open(config.database, clock);
  if (!jobs) {
    return jobs.error();
  }
  auto service = std::make_shared<GmsService>(**jobs);
  Result<std::unique_ptr<rpc::ThriftServer>> server =
      rpc::ThriftServer::start(config.listen, std::make_shared<wire::GlobalMetadataStoreProcessor>(service));
  if (!server) {
    return server.error();
  }
  logInfo("serving jobs from " + config.database + " on " + toString((*server)->address()));
  return std::unique_ptr<RunningServer>(new GmsServer(*std::move(jobs), *std::move(server)));
}

GmsServer::GmsServer(std::unique_ptr<JobStore> jobs, std::unique_ptr<rpc::ThriftServer> server)
    : jobs_(std::move(jobs)), server_(std::move(server)) {}

std::string GmsServer::addresses() const {
  return "listen=" + toString(server_->address());
}

}  // namespace shift::gms
