#include "bench/gms/GmsRig.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "gms/store/JobRows.h"

namespace shift::bench {
namespace {

constexpr int kJobsPerTransaction = 500;

template <typename T>
void require(const T& result) {
  if (!result) {
    fmt::print(stderr, "shift-bench-gms: {}\n", result.error().message);
    std::exit(1);
  }
}

template <typename T>
T valueOf(Result<T> result) {
  require(result);
  return *std::move(result);
}

wire::Caller nobody() {
  return {};
}

}  // namespace

wire::Job jobWith(const std::string& id, int partitions) {
  wire::Job job;
  job.__set_id(id);
  job.__set_owner("bench");
  job.dataset.__set_store("warehouse");
  job.dataset.__set_table("clicks");
  for (int i = 0; i < partitions; ++i) {
    job.dataset.partitions.push_back(
        fmt::format("clicks/ds=2026-{:02}-{:02}/hour={:02}", i / 28 % 12 + 1, i % 28, i % 24));
  }
  return job;
}

double residentMegabytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

GmsRig::GmsRig(std::string name, const std::string& database, const Clock& clock)
    : name_(std::move(name)), metadata_(valueOf(gms::MetadataStore::open(database, clock))) {
  stores_ = std::make_unique<gms::Stores>(*metadata_, [](const wire::Table&) -> Result<gms::TableListing> {
    return Error{ErrorCode::kInvalidArgument, "nothing is listed here"};
  });
  wire::Table table;
  table.__set_name("clicks");
  table.__set_store("warehouse");
  table.__set_root("clicks");
  require(stores_->tables.put(table, nobody()));
  require(metadata_->read([](gms::Database& connection) -> Status {
    connection.script("CREATE TABLE raw (id BIGINT PRIMARY KEY, bytes TEXT NOT NULL)");
    return {};
  }));
}

void GmsRig::growTo(int jobs, int partitions) {
  while (jobs_ < jobs) {
    const int upTo = std::min(jobs, jobs_ + kJobsPerTransaction);
    require(metadata_->write(
        {nobody(), ""},
        [&](gms::Change& change) -> Status {
          for (; jobs_ < upTo; ++jobs_) {
            const std::string id = fmt::format("job-{:06}", jobs_);
            gms::writeJob(change, std::nullopt, jobWith(id, partitions));
            gms::writeHeartbeat(change, id);
          }
          return {};
        },
        [](gms::Database&) { return Status(); }));
  }
}

void GmsRig::submit(const wire::Job& job) {
  require(stores_->jobs.registerJob(job, nobody()));
}

void GmsRig::commitRaw(const std::string& bytes) {
  require(metadata_->read([&](gms::Database& connection) -> Status {
    gms::Transaction transaction(connection);
    connection.query("INSERT INTO raw (id, bytes) VALUES (?1, ?2)", {++rawRows_, std::string_view(bytes)});
    transaction.commit();
    return {};
  }));
}

void GmsRig::askRaw() {
  require(metadata_->read([](gms::Database& connection) -> Status {
    connection.query("SELECT 1");
    return {};
  }));
}

double GmsRig::databaseMegabytes() {
  return valueOf(metadata_->read([](gms::Database& connection) -> Result<double> {
    return static_cast<double>(connection.sizeOnDisk()) / 1e6;
  }));
}

}  // namespace shift::bench
