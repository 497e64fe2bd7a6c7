#include "tools/demo/JobRun.h"

#include <algorithm>
#include <future>
#include <memory>

#include "client-lib/Client.h"
#include "tools/demo/PartitionReports.h"
#include "tools/demo/StopWait.h"
#include "tools/load/CheckedFile.h"
#include "tools/load/ReadTarget.h"

namespace shift::demo {
namespace {

Status readFile(const std::string& path, load::ReadTarget& target, const JobSurroundings& around,
                std::atomic<std::uint64_t>& bytesDone) {
  const Result<std::unique_ptr<load::CheckedFile>> file =
      load::CheckedFile::open(target, &around.reference, path);
  if (!file) {
    return file.error();
  }
  std::vector<std::byte> buffer(around.shape.blockSize);
  for (std::uint64_t offset = 0; offset < around.shape.fileSize && !around.stop; offset += buffer.size()) {
    const std::span<std::byte> into =
        std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), around.shape.fileSize - offset));
    const Result<std::size_t> got = (*file)->read(into, offset);
    const load::ReadOutcome outcome = (*file)->judge(got, into, offset);
    if (outcome.kind != load::ReadOutcome::Kind::kGood) {
      return Error{ErrorCode::kCorrupt, "a read went wrong: " + outcome.fault};
    }
    bytesDone += outcome.bytes;
  }
  return {};
}

/** All readers of a job, on one queue of files. The first fault ends all of them. */
Status readAll(const std::vector<std::string>& files, load::ReadTarget& target, PartitionReports& reports,
               const JobSurroundings& around, std::atomic<std::uint64_t>& bytesDone) {
  std::atomic<std::size_t> next{0};
  const auto read = [&]() -> Status {
    for (std::size_t taken = next++; taken < files.size() && !around.stop; taken = next++) {
      Status done = readFile(files[taken], target, around, bytesDone);
      if (done && !around.stop) {
        done = reports.fileRead(taken);
      }
      if (!done) {
        next = files.size();
        return done;
      }
    }
    return {};
  };
  std::vector<std::future<Status>> readers;
  for (std::uint32_t i = 0; i < around.shape.readersPerJob; ++i) {
    readers.push_back(std::async(std::launch::async, read));
  }
  Status outcome;
  for (std::future<Status>& reader : readers) {
    if (Status ended = reader.get(); !ended) {
      outcome = ended;
    }
  }
  return outcome;
}

}  // namespace

std::string jobId(const std::string& act, const TourJob& job) {
  return act + "-" + job.name;
}

Status announce(gms::GmsClient& gms, const std::string& id, const TourJob& job, const Dataset& dataset,
                const std::string& store) {
  wire::Job record;
  record.__set_id(id);
  record.__set_owner("demo");
  record.dataset.__set_store(store);
  record.dataset.__set_table(dataset.table);
  record.dataset.__set_order(wire::ReadOrder::SEEDED);
  record.dataset.__set_seed(static_cast<std::int64_t>(job.shuffleSeed));
  for (const std::size_t partition : job.partitions) {
    record.dataset.partitions.push_back(dataset.partitions[partition].directory);
  }
  const Result<wire::Job> stored = gms.registerJob(record);
  return stored ? Status() : Status(stored.error());
}

Result<JobOutcome> runJob(const std::string& id, const TourJob& job, TimePoint actBegins,
                          const JobSurroundings& around, std::atomic<std::uint64_t>& bytesDone) {
  const Result<std::unique_ptr<client::Client>> client =
      client::Client::create(around.client, around.disks, around.clock);
  if (!client) {
    return client.error();
  }
  const std::vector<std::string> files = filesInOrder(job, around.dataset);
  waitUnlessStopped(actBegins + job.startsAfter, around.clock, around.waiter, around.stop);
  const TimePoint begin = around.clock.now();
  if (const auto running = around.gms.setJobState(id, wire::JobState::RUNNING); !running) {
    return running.error();
  }
  load::TierTarget target(**client, id);
  PartitionReports reports(around.gms, id, job, around.dataset);
  const Status read = readAll(files, target, reports, around, bytesDone);
  const JobOutcome outcome{.took = around.clock.now() - begin,
                           .bytesFromDisks = (*client)->stats().bytesFromBackingStore};
  const bool isComplete = read.ok() && !around.stop;
  const auto ended =
      around.gms.setJobState(id, isComplete ? wire::JobState::FINISHED : wire::JobState::FAILED);
  if (!read || !ended) {
    return read ? ended.error() : read.error();
  }
  return outcome;
}

}  // namespace shift::demo
