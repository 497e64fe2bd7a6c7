#include "tests/integration/BusyTier.h"

#include <fmt/format.h>

#include <stdexcept>

#include "client-lib/Client.h"
#include "common/ByteSize.h"
#include "tools/cluster/EnlistNodes.h"
#include "tools/dataset/RandomFile.h"

namespace shift::test {
namespace {

constexpr const char* kStore = "warehouse";
constexpr std::uint32_t kNodes = 4;
constexpr std::uint64_t kFileBytes = 12 * kMiB;
constexpr int kFiles = 4;  // of a partition
constexpr std::size_t kReadBytes = kMiB / 2;

struct TableShape {
  const char* name;
  int days;
};
constexpr TableShape kTables[] = {{"clicks", 8}, {"features", 5}, {"embeddings", 3}};

std::string partition(const std::string& table, int day) {
  return fmt::format("{}/ds=2026-11-{:02}", table, day);
}

std::string file(const std::string& table, int day, int number) {
  return fmt::format("{}/part-{:05}", partition(table, day), number);
}

template <typename Outcome>
void orThrow(const Outcome& outcome) {
  if (!outcome) {
    throw std::runtime_error(outcome.error().message);
  }
}

}  // namespace

/** Reads days of a table, in order; begins and ends at these shares of the tier's time. */
struct BusyTier::Job {
  const char* id;
  const char* owner;
  const char* table;
  int firstDay;
  int lastDay;
  double begin;
  double end;
};

BusyTier::BusyTier(const std::string& programs, const Clock& clock, Duration length)
    : clock_(clock), length_(length), directory_("shift-busy-tier") {
  makeTables();
  auto cluster = tools::LocalCluster::start(
      {.binaries = programs,
       .directory = directory_ / "cluster",
       .storeName = kStore,
       .storeRoot = directory_ / "store",
       .nodes = kNodes,
       .flashPerNode = 120 * kMiB,
       .followGms = true,
       .nodeSettings = {"cache.dram=8MiB", "policy.block_size=1MiB", "policy.write_limit=1500kB",
                        "policy.max_admit_threshold=1.5", "policy.integral_gain=0.2",
                        "policy.bucket_refresh_time=1s", "policy.history_window=10min",
                        "policy.name=historic", "policy.min_admit_threshold=0.5", "log.level=warning"}},
      clock_);
  orThrow(cluster);
  cluster_ = *std::move(cluster);
  gms_ = std::make_unique<gms::GmsClient>(cluster_->gmsAddress(), std::chrono::seconds(30));
  enlist();

  static constexpr Job kJobs[] = {
      {"ads-ranking-v12", "ads", "clicks", 1, 8, 0.0, 1.7},
      {"ads-ranking-v13", "ads", "clicks", 1, 8, 0.03, 1.73},
      {"ads-ablation", "ads", "clicks", 3, 8, 0.46, 1.77},
      {"feed-retrain", "feed", "features", 1, 5, 0.05, 0.8},
      {"feed-distill", "feed", "features", 2, 5, 0.23, 1.2},
      {"search-two-tower", "search", "embeddings", 1, 3, 0.1, 1.9},
      {"search-eval", "search", "embeddings", 1, 3, 0.14, 1.94},
      {"search-nightly", "search", "embeddings", 1, 3, 2.0, 3.0},
  };
  for (const Job& job : kJobs) {
    announce(job);
  }
  const TimePoint begin = clock_.now();
  for (const Job& job : kJobs) {
    readers_.push_back(std::async(std::launch::async, [this, &job, begin] { read(job, begin); }));
  }
}

void BusyTier::end() {
  isOver_ = true;
  for (std::future<void>& reader : readers_) {
    reader.get();
  }
}

void BusyTier::makeTables() {
  std::uint64_t seed = 0;
  for (const TableShape& table : kTables) {
    for (int day = 1; day <= table.days; ++day) {
      for (int number = 0; number < kFiles; ++number) {
        orThrow(tools::writeRandomFile(directory_ / "store/" + file(table.name, day, number), kFileBytes,
                                       ++seed));
      }
    }
  }
}

/** Every other node compares another policy. */
void BusyTier::enlist() {
  orThrow(tools::enlistNodes(*gms_, *cluster_));
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    const bool isFirst = i % 2 == 0;
    for (const auto& [name, value] : {std::pair("policy.name", isFirst ? "historic" : "planned"),
                                      std::pair("policy.arm", isFirst ? "a" : "b")}) {
      wire::Parameter parameter;
      parameter.__set_node(cluster_->nodeName(i));
      parameter.__set_name(name);
      parameter.__set_value(value);
      orThrow(gms_->putParameter(parameter));
    }
  }
  for (const TableShape& shape : kTables) {
    wire::Table table;
    table.__set_name(shape.name);
    table.__set_store(kStore);
    table.__set_root(shape.name);
    orThrow(gms_->putTable(table));
  }
}

void BusyTier::announce(const Job& job) {
  wire::Job record;
  record.__set_id(job.id);
  record.__set_owner(job.owner);
  record.dataset.__set_store(kStore);
  record.dataset.__set_table(job.table);
  record.dataset.__set_order(wire::ReadOrder::LISTED);
  for (int day = job.firstDay; day <= job.lastDay; ++day) {
    record.dataset.partitions.push_back(partition(job.table, day));
  }
  orThrow(gms_->registerJob(record));
}

void BusyTier::read(const Job& job, TimePoint begin) const {
  client::ClientConfig config;
  config.storeName = kStore;
  config.storeRoot = directory_ / "store";
  config.ringFile = cluster_->ringFile();
  config.blockSize = kMiB;
  const auto client = client::Client::create(config);
  orThrow(client);
  std::vector<std::byte> buffer(kReadBytes);
  const double reads = static_cast<double>(job.lastDay - job.firstDay + 1) * kFiles *
                       static_cast<double>(kFileBytes / kReadBytes);
  double done = 0;
  for (int day = job.firstDay; day <= job.lastDay; ++day) {
    for (int number = 0; number < kFiles; ++number) {
      const auto opened = (*client)->open(file(job.table, day, number), {.job = job.id});
      orThrow(opened);
      for (std::uint64_t offset = 0; offset < kFileBytes; offset += kReadBytes) {
        const double share = job.begin + (job.end - job.begin) * done++ / reads;
        const TimePoint due = begin + std::chrono::duration_cast<Duration>(share * length_);
        // A second at a time, so that the end need not wait for a job that has not begun.
        while (!isOver_ && clock_.now() < due) {
          waiter_.waitUntil(std::min(due, clock_.now() + std::chrono::seconds(1)));
        }
        if (isOver_) {
          return;
        }
        orThrow((*client)->pread(*opened, buffer, offset));
      }
      orThrow((*client)->close(*opened));
    }
    wire::JobRead read;
    read.__set_job(job.id);
    read.__set_directory(partition(job.table, day));
    read.__set_finished(true);
    wire::Report report;
    report.__set_reporter(job.id);
    report.__set_sequence(day);
    report.__set_reads({read});
    orThrow(gms_->report(report));
  }
  orThrow(gms_->setJobState(job.id, wire::JobState::FINISHED));
}

}  // namespace shift::test
