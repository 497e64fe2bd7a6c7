#pragma once

#include <memory>
#include <vector>

#include "backing-store/BackingStore.h"
#include "common/Clock.h"
#include "common/PeriodicTask.h"
#include "common/ServerMain.h"
#include "dashboard/Dashboard.h"
#include "gms/GmsConfig.h"
#include "gms/GmsMetrics.h"
#include "gms/GmsTier.h"
#include "gms/rest/RestServer.h"
#include "gms/store/Housekeeper.h"
#include "gms/store/Stores.h"
#include "rpc/ThriftServer.h"

namespace shift::gms {

/** The composition root of the GMS: database, stores, both faces, and all background work. */
class GmsServer final : public RunningServer {
 public:
  static Result<std::unique_ptr<RunningServer>> start(const GmsConfig& config, const Clock& clock);

  std::string addresses() const override;

 private:
  GmsServer(std::unique_ptr<MetadataStore> store, std::unique_ptr<store::BackingStore> backing,
            const Clock& clock);
  Status serve(const GmsConfig& config);
  void keepHouse(const GmsConfig& config);
  Result<TableListing> listTable(const wire::Table& table) const;

  // In the order in which they are made; what serves goes first.
  const Clock& clock_;
  CounterRegistry counters_;
  const std::unique_ptr<store::BackingStore> backing_;  // none: no predicates
  const std::unique_ptr<MetadataStore> metadata_;
  Stores stores_;
  const RestApi rest_;
  GmsTier tier_;
  dashboard::Monitor monitor_;
  const dashboard::Dashboard dashboard_;
  std::unique_ptr<GmsMetrics> metrics_;
  std::unique_ptr<Housekeeper> housekeeper_;
  std::vector<std::unique_ptr<PeriodicTask>> tasks_;
  std::unique_ptr<rpc::ThriftServer> thrift_;
  std::unique_ptr<http::HttpServer> http_;
};

}  // namespace shift::gms
