#include "tools/demo/Demo.h"

#include <fmt/format.h>

#include <future>
#include <memory>
#include <vector>

#include "client-lib/Client.h"
#include "common/ByteSize.h"
#include "gms/GmsClient.h"
#include "tools/cluster/LocalCluster.h"
#include "tools/demo/Reader.h"
#include "tools/demo/Report.h"
#include "tools/text/ProgressLine.h"

namespace shift::demo {
namespace {

constexpr const char* kStore = "demo";
constexpr Duration kGmsTimeout = std::chrono::seconds(5);
constexpr Duration kProgressEvery = std::chrono::milliseconds(100);

/** Hyper-parameter tuning over all partitions, and later jobs that join for the newest ones. */
std::vector<DemoJob> jobsFor(const Dataset& dataset) {
  std::vector<DemoJob> jobs{{"tune-a", {}}, {"tune-b", {}}, {"refresh", {}}, {"newest", {}}};
  for (std::size_t partition = 0; partition < dataset.partitions.size(); ++partition) {
    jobs[0].partitions.push_back(partition);
    jobs[1].partitions.push_back(partition);
    if (partition > 0) {
      jobs[2].partitions.push_back(partition);
    }
  }
  jobs[3].partitions.push_back(dataset.partitions.size() - 1);
  return jobs;
}

Status registerJob(gms::GmsClient& gms, const DemoJob& job, const Dataset& dataset) {
  wire::Job record;
  record.__set_id(job.id);
  record.__set_owner("demo");
  record.dataset.__set_store(kStore);
  record.dataset.__set_table(dataset.table);
  record.dataset.__set_order(wire::ReadOrder::LISTED);
  for (const std::size_t partition : job.partitions) {
    record.dataset.partitions.push_back(dataset.partitions[partition].directory);
  }
  const Result<wire::Job> stored = gms.registerJob(record);
  return stored ? Status() : Status(stored.error());
}

Status registerTable(gms::GmsClient& gms, const Dataset& dataset) {
  wire::Table table;
  table.__set_name(dataset.table);
  table.__set_store(kStore);
  table.__set_root(dataset.table);
  table.__set_owner("demo");
  table.__set_onboarded(true);
  const Result<wire::Table> stored = gms.putTable(table);
  return stored ? Status() : Status(stored.error());
}

/** One job's life: said to run, read to the end by its own client, said to be over. */
Status runJob(const DemoJob& job, const Dataset& dataset, const client::ClientConfig& clientConfig,
              gms::GmsClient& gms, const std::atomic<bool>& stop, ReaderProgress& progress) {
  if (const auto running = gms.setJobState(job.id, wire::JobState::RUNNING); !running) {
    return running.error();
  }
  const Result<std::unique_ptr<client::Client>> client = client::Client::create(clientConfig);
  if (!client) {
    return client.error();
  }
  Status read = readAll(job, dataset, clientConfig.storeRoot, **client, stop, progress);
  const bool complete = read.ok() && !stop;
  const auto ended = gms.setJobState(job.id, complete ? wire::JobState::FINISHED : wire::JobState::FAILED);
  return read.ok() && !ended ? Status(ended.error()) : read;
}

/** Runs all jobs at once and shows how far they are. */
Status runJobs(const std::vector<DemoJob>& jobs, const Dataset& dataset,
               const client::ClientConfig& clientConfig, gms::GmsClient& gms, const Clock& clock,
               const std::atomic<bool>& stop) {
  std::uint64_t total = 0;
  std::vector<ReaderProgress> progress(jobs.size());
  std::vector<std::future<Status>> readers;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    total += jobs[i].bytes(dataset);
    readers.push_back(std::async(std::launch::async, [&, i] {
      return runJob(jobs[i], dataset, clientConfig, gms, stop, progress[i]);
    }));
  }
  const TimePoint begin = clock.now();
  const auto show = [&](tools::ProgressLine& line) {
    std::uint64_t done = 0;
    for (const ReaderProgress& one : progress) {
      done += one.bytes;
    }
    const double seconds = std::max(std::chrono::duration<double>(clock.now() - begin).count(), 1e-3);
    line.show(static_cast<double>(done) / static_cast<double>(total),
              fmt::format("{} of {} read, {}/s", formatByteSize(static_cast<double>(done)),
                          formatByteSize(static_cast<double>(total)),
                          formatByteSize(static_cast<double>(done) / seconds)));
  };
  Status outcome;
  {
    tools::ProgressLine line;
    for (std::future<Status>& reader : readers) {
      do {
        show(line);
      } while (reader.wait_for(kProgressEvery) == std::future_status::timeout);
      if (Status ended = reader.get(); !ended) {
        outcome = ended;
      }
    }
    show(line);
  }
  return outcome;
}

}  // namespace

Status runDemo(const DemoConfig& config, const Clock& clock, const std::atomic<bool>& stop) {
  const std::string root = config.directory + "/store";
  const std::uint64_t bytes =
      config.dataset.fileSize * config.dataset.filesPerPartition * config.dataset.partitions;
  fmt::print("Making a dataset of {} in {} partitions\n", formatByteSize(static_cast<double>(bytes)),
             config.dataset.partitions);
  const Result<Dataset> dataset = makeDataset(root, config.dataset);
  if (!dataset) {
    return dataset.error();
  }

  Result<std::unique_ptr<tools::LocalCluster>> cluster = tools::LocalCluster::start(
      {.binaries = config.binaries,
       .directory = config.directory + "/cluster",
       .storeName = kStore,
       .storeRoot = root,
       .nodes = config.nodes,
       .flashPerNode = config.flashPerNode,
       .nodeSettings = {"cache.dram=" + std::to_string(config.dramPerNode), "log.level=warning"}},
      clock);
  if (!cluster) {
    return cluster.error();
  }
  fmt::print("Started a GMS on {} and {} nodes with {} of memory and {} of flash each\n",
             toString((*cluster)->gmsAddress()), config.nodes,
             formatByteSize(static_cast<double>(config.dramPerNode)),
             formatByteSize(static_cast<double>(config.flashPerNode)));

  gms::GmsClient gms((*cluster)->gmsAddress(), kGmsTimeout);
  if (const Status registered = registerTable(gms, *dataset); !registered) {
    return registered;
  }
  const std::vector<DemoJob> jobs = jobsFor(*dataset);
  for (const DemoJob& job : jobs) {
    if (const Status registered = registerJob(gms, job, *dataset); !registered) {
      return registered;
    }
  }
  client::ClientConfig clientConfig;
  clientConfig.storeName = kStore;
  clientConfig.storeRoot = root;
  clientConfig.ringFile = (*cluster)->ringFile();
  fmt::print("Running {} training jobs; every byte they get is compared with the file\n", jobs.size());
  std::fflush(stdout);
  const Status ran = runJobs(jobs, *dataset, clientConfig, gms, clock, stop);

  const Result<std::string> absorbed = reportAbsorbed(**cluster);
  const Result<std::string> jobStates = reportJobs(gms);
  fmt::print("\nAbsorbed IO = bytes served by nodes − bytes they fetched from the backing store\n\n{}\n{}",
             absorbed ? *absorbed : absorbed.error().message + "\n",
             jobStates ? *jobStates : jobStates.error().message + "\n");
  const Status stopped = (*cluster)->stop();
  fmt::print("\nStopped {}\n", stopped ? "all processes cleanly" : stopped.error().message);
  return ran.ok() ? stopped : ran;
}

}  // namespace shift::demo
