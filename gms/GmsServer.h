#pragma once

#include <memory>

#include "common/Clock.h"
#include "common/ServerMain.h"
#include "gms/GmsConfig.h"
#include "gms/JobStore.h"
#include "rpc/ThriftServer.h"

namespace shift::gms {

/** The composition root of the GMS: database, store, service. */
class GmsServer final : public RunningServer {
 public:
  static Result<std::unique_ptr<RunningServer>> start(const GmsConfig& config, const Clock& clock);

  std::string addresses() const override;

 private:
  GmsServer(std::unique_ptr<JobStore> jobs, std::unique_ptr<rpc::ThriftServer> server);

  std::unique_ptr<JobStore> jobs_;
  std::unique_ptr<rpc::ThriftServer> server_;  // last: stops before the store goes
};

}  // namespace shift::gms
