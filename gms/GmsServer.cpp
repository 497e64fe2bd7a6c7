#include "gms/GmsServer.h"

#include <fmt/format.h>

#include "backing-store/DirectoryStore.h"
#include "common/Log.h"
#include "gms/GmsService.h"
#include "rpc/CallTimes.h"

namespace shift::gms {
namespace {

constexpr Duration kExpireEvery = std::chrono::seconds(5);
constexpr Duration kForgetEvery = std::chrono::hours(1);
constexpr Duration kPollNodesEvery = std::chrono::seconds(2);

}  // namespace

Result<std::unique_ptr<RunningServer>> GmsServer::start(const GmsConfig& config, const Clock& clock) {
  std::unique_ptr<store::BackingStore> backing;
  if (!config.storeRoot.empty()) {
    Result<std::unique_ptr<store::DirectoryStore>> opened =
        store::DirectoryStore::open(config.storeName, config.storeRoot);
    if (!opened) {
      return Error{ErrorCode::kInvalidArgument, "store.root: " + opened.error().message};
    }
    backing = *std::move(opened);
  }
  Result<std::unique_ptr<MetadataStore>> metadata = MetadataStore::open(config.database, clock);
  if (!metadata) {
    return metadata.error();
  }
  std::unique_ptr<GmsServer> server(new GmsServer(*std::move(metadata), std::move(backing), clock));
  if (const Status serving = server->serve(config); !serving) {
    return serving.error();
  }
  server->keepHouse(config);
  logInfo(fmt::format("serving {}: {}", server->metadata_->description(), server->addresses()));
  return std::unique_ptr<RunningServer>(std::move(server));
}

GmsServer::GmsServer(std::unique_ptr<MetadataStore> store, std::unique_ptr<store::BackingStore> backing,
                     const Clock& clock)
    : clock_(clock),
      backing_(std::move(backing)),
      metadata_(std::move(store)),
      stores_(*metadata_, [this](const wire::Table& table) { return listTable(table); }),
      rest_(stores_, *metadata_),
      tier_(stores_),
      monitor_("tier", tier_, clock),
      dashboard_(monitor_, dashboard::Dashboard::Polls::kInBackground) {
  metadata_->measure(counters_);
}

Status GmsServer::serve(const GmsConfig& config) {
  auto service = std::make_shared<GmsService>(stores_);
  auto processor = std::make_shared<wire::GlobalMetadataStoreProcessor>(service);
  rpc::recordCallTimes(*processor, "gms_thrift_call_seconds", clock_, counters_);
  Result<std::unique_ptr<rpc::ThriftServer>> thrift = rpc::ThriftServer::start(config.listen, processor);
  if (!thrift) {
    return thrift.error();
  }
  thrift_ = *std::move(thrift);
  metrics_ = std::make_unique<GmsMetrics>(
      GmsMetrics::Parts{.metadata = *metadata_,
                        .counters = counters_,
                        .thriftConnections = [this] { return thrift_->connections(); },
                        .clock = clock_});
  const metrics::Facts facts{.metrics = [this] { return metrics_->text(); },
                             .readiness = [this] { return metrics_->readiness(); },
                             .config = [config] { return printedForAll(config); }};
  Result<std::unique_ptr<http::HttpServer>> http =
      startRestServer({.listen = config.httpListen,
                       .threads = config.httpThreads,
                       .otherPages =
                           [this, facts](const http::Request& request) {
                             std::optional<http::Response> page = metrics::introspect(facts, request);
                             return page ? std::move(page) : dashboard_.handle(request);
                           },
                       .observer = [this](const std::string& method, int status,
                                          Duration took) { metrics_->observeHttp(method, status, took); }},
                      rest_, clock_);
  if (!http) {
    return http.error();
  }
  http_ = *std::move(http);
  return {};
}

void GmsServer::keepHouse(const GmsConfig& config) {
  housekeeper_ = std::make_unique<Housekeeper>(
      Housekeeper::Config{
          .silentTtl = config.silentTtl, .queuedTtl = config.queuedTtl, .keepEnded = config.keepEnded},
      *metadata_, [this](const wire::Table& table) { return listTable(table); });
  const auto every = [this](Duration interval, auto work) {
    tasks_.push_back(std::make_unique<PeriodicTask>(interval, [work] {
      if (const auto done = work(); !done) {
        logWarning("housekeeping: " + done.error().message);
      }
    }));
  };
  every(kExpireEvery, [this] { return housekeeper_->expireSilentJobs(); });
  tasks_.push_back(std::make_unique<PeriodicTask>(kPollNodesEvery, [this] { monitor_.poll(); }));
  every(kForgetEvery, [this] { return housekeeper_->forgetOldThings(); });
  if (backing_ != nullptr) {
    every(config.expandEvery, [this] { return housekeeper_->expandPredicates(); });
  }
}

Result<TableListing> GmsServer::listTable(const wire::Table& table) const {
  if (backing_ == nullptr || backing_->name() != table.store) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("this GMS cannot list store \"{}\"; set store.name and store.root, or list the "
                             "partitions in the spec",
                             table.store)};
  }
  const Result<std::vector<store::ListedFile>> files = backing_->list(table.root);
  if (!files) {
    return files.error();
  }
  return partitionsAmong(*files, table.root);
}

std::string GmsServer::addresses() const {
  return fmt::format("listen={} http={}", toString(thrift_->address()), toString(http_->address()));
}

}  // namespace shift::gms
