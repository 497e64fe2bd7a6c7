#include "tools/demo/Stage.h"

#include <algorithm>
#include <future>

#include "shift-node/AdminClient.h"
#include "tools/cluster/EnlistNodes.h"
#include "tools/text/ProgressLine.h"

namespace shift::demo {
namespace {

constexpr const char* kStore = "demo";
constexpr Duration kTimeout = std::chrono::seconds(5);
constexpr Duration kProgressEvery = std::chrono::milliseconds(100);

/** The tour is to the paper's runs as a quarter of a minute is to forty: so is this to ten seconds. */
constexpr const char* kBucketRefreshTime = "100ms";

std::string queueFileIn(const std::string& directory) {
  return directory + "/disk-queues";
}

/** Settings of every node, whatever its policy. */
std::vector<std::string> nodeSettings(const StageConfig& config) {
  const Shape& shape = config.shape;
  return {"cache.dram=" + std::to_string(shape.dramPerNode),
          "policy.block_size=" + std::to_string(shape.blockSize),
          std::string("policy.bucket_refresh_time=") + kBucketRefreshTime,
          "store.disks=" + std::to_string(shape.disks.disks),
          "store.disk_queues=" + queueFileIn(config.directory),
          "log.level=warning"};
}

}  // namespace

Stage::Stage(const StageConfig& config, const Clock& clock, const std::atomic<bool>& stop)
    : config_(config),
      clock_(clock),
      stop_(stop),
      dataset_(datasetOf(config.shape)),
      jobs_(synchronizedJobs(config.shape, config.seed)) {}

Result<std::unique_ptr<Stage>> Stage::set(const StageConfig& config, const Clock& clock,
                                          const std::atomic<bool>& stop) {
  std::unique_ptr<Stage> stage(new Stage(config, clock, stop));
  if (const Status opened = stage->open(); !opened) {
    return opened.error();
  }
  return stage;
}

Status Stage::open() {
  Result<std::unique_ptr<store::DirectoryStore>> slowed = store::DirectoryStore::open(kStore, storeRoot());
  Result<std::unique_ptr<store::DirectoryStore>> reference = store::DirectoryStore::open(kStore, storeRoot());
  if (!slowed || !reference) {
    return slowed ? reference.error() : slowed.error();
  }
  reference_ = *std::move(reference);
  store::DiskConfig disks = config_.shape.disks;
  disks.queueFile = queueFileIn(config_.directory);
  Result<std::unique_ptr<store::BackingStore>> onDisks =
      store::putOnDisks(*std::move(slowed), disks, clock_, waiter_, counters_);
  if (!onDisks) {
    return onDisks.error();
  }
  disks_ = *std::move(onDisks);

  Result<std::unique_ptr<tools::LocalCluster>> cluster =
      tools::LocalCluster::start({.binaries = config_.binaries,
                                  .directory = config_.directory + "/cluster",
                                  .storeName = kStore,
                                  .storeRoot = storeRoot(),
                                  .nodes = 0,
                                  .flashPerNode = config_.shape.flashPerNode(),
                                  .followGms = true,
                                  .nodeSettings = nodeSettings(config_)},
                                 clock_);
  if (!cluster) {
    return cluster.error();
  }
  cluster_ = *std::move(cluster);
  gms_ = std::make_unique<gms::GmsClient>(cluster_->gmsAddress(), kTimeout, "shift-demo");
  wire::Table table;
  table.__set_name(dataset_.table);
  table.__set_store(kStore);
  table.__set_root(dataset_.table);
  table.__set_owner("demo");
  table.__set_onboarded(true);
  const Result<wire::Table> stored = gms_->putTable(table);
  return stored ? Status() : Status(stored.error());
}

Status Stage::seat(const std::vector<Policy>& nodes) {
  std::vector<std::vector<std::string>> settings;
  const auto isAsTheFirst = [&](const Policy& policy) { return policy.key == nodes.front().key; };
  const bool isComparison = !std::ranges::all_of(nodes, isAsTheFirst);
  for (const Policy& policy : nodes) {
    settings.push_back(policy.settings);
    if (isComparison) {
      settings.back().push_back("policy.arm=" + policy.key);
    }
  }
  if (Status replaced = cluster_->replaceNodes(settings); !replaced) {
    return replaced;
  }
  // The ring file is what clients go by; the dashboard and shiftctl go by the GMS.
  return tools::enlistNodes(*gms_, *cluster_);
}

Result<ActOutcome> Stage::play(const std::string& name, Schedule& schedule) {
  client::ClientConfig clientConfig;
  clientConfig.storeName = kStore;
  clientConfig.storeRoot = storeRoot();
  clientConfig.ringFile = cluster_->size() == 0 ? "" : cluster_->ringFile();
  clientConfig.blockSize = config_.shape.blockSize;
  clientConfig.readAhead = 0;  // a reader has one read under way, as many as there are readers
  const JobSurroundings around{.dataset = dataset_,
                               .shape = config_.shape,
                               .client = clientConfig,
                               .disks = *disks_,
                               .reference = *reference_,
                               .gms = *gms_,
                               .clock = clock_,
                               .waiter = waiter_,
                               .stop = stop_};
  for (const TourJob& job : jobs_) {
    if (const Status announced = announce(*gms_, jobId(name, job), job, dataset_, kStore); !announced) {
      return announced.error();
    }
  }
  schedule.beginAct();
  const TimePoint begin = clock_.now();
  std::atomic<std::uint64_t> done{0};
  std::vector<std::future<Result<JobOutcome>>> running;
  for (const TourJob& job : jobs_) {
    running.push_back(
        std::async(std::launch::async, [&] { return runJob(jobId(name, job), job, begin, around, done); }));
  }
  const std::uint64_t total = bytesRead(jobs_, config_.shape);
  ActOutcome outcome;
  Status fault;
  {
    tools::ProgressLine line;
    const auto show = [&] {
      line.show(static_cast<double>(done) / static_cast<double>(total),
                schedule.line(done, total, clock_.now() - begin));
    };
    for (std::future<Result<JobOutcome>>& job : running) {
      do {
        show();
      } while (job.wait_for(kProgressEvery) == std::future_status::timeout);
      const Result<JobOutcome> ended = job.get();
      if (!ended) {
        fault = ended.error();
        continue;
      }
      outcome.jobTimes.push_back(ended->took);
      outcome.clientDiskBytes += ended->bytesFromDisks;
    }
    show();
  }
  schedule.endAct(clock_.now() - begin);
  Result<std::vector<NodeWork>> nodes = workOfNodes();
  if (!fault || !nodes) {
    return fault ? nodes.error() : fault.error();
  }
  outcome.nodes = *std::move(nodes);
  return outcome;
}

Result<std::vector<NodeWork>> Stage::workOfNodes() const {
  std::vector<NodeWork> work;
  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    node::AdminClient admin(cluster_->adminAddress(i), kTimeout);
    const Result<wire::NodeStatus> status = admin.status();
    if (!status) {
      return status.error();
    }
    const wire::Activity& all = status->sinceStart;
    work.push_back({.requestedBytes = static_cast<std::uint64_t>(all.requestedBytes),
                    .servedBytes = static_cast<std::uint64_t>(all.servedBytes),
                    .fetchedBytes = static_cast<std::uint64_t>(all.fetchedBytes),
                    .flashBytes = static_cast<std::uint64_t>(all.admittedBytes + all.reinsertedBytes +
                                                             all.metadataBytes)});
  }
  return work;
}

}  // namespace shift::demo
