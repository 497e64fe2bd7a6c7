#include "gms/store/JobRows.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "gms/json/JobJson.h"
#include "gms/spec/JobRules.h"

namespace shift::gms {
namespace {

std::string joined(const std::vector<std::string>& entries) {
  std::string lines;
  for (const std::string& entry : entries) {
    lines += entry;
    lines += '\n';
  }
  return lines;
}

/** Cuts the text before the next `separator` off the front. */
std::string_view takeUntil(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::int64_t toNumber(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

template <typename T, typename Read>
std::vector<T> lines(std::string_view text, Read read) {
  std::vector<T> entries;
  while (!text.empty()) {
    entries.push_back(read(takeUntil(text, '\n')));
  }
  return entries;
}

std::vector<std::string> textsFrom(std::string_view text) {
  return lines<std::string>(text, [](std::string_view line) { return std::string(line); });
}

std::string rangesOf(const wire::DatasetSpec& dataset) {
  std::string text;
  for (const wire::ByteRange& range : dataset.ranges) {
    text += fmt::format("{}\t{}\n", range.offset, range.length);
  }
  return text;
}

std::vector<wire::ByteRange> rangesFrom(std::string_view text) {
  return lines<wire::ByteRange>(text, [](std::string_view line) {
    wire::ByteRange range;
    range.__set_offset(toNumber(takeUntil(line, '\t')));
    range.__set_length(toNumber(line));
    return range;
  });
}

std::string manifestOf(const wire::DatasetSpec& dataset) {
  std::string text;
  for (const wire::ManifestFile& file : dataset.manifest) {
    text += fmt::format("{}\t{}\t{}\n", file.size, file.version, file.path);
  }
  return text;
}

std::vector<wire::ManifestFile> manifestFrom(std::string_view text) {
  return lines<wire::ManifestFile>(text, [](std::string_view line) {
    wire::ManifestFile file;
    file.__set_size(toNumber(takeUntil(line, '\t')));
    if (const std::string_view version = takeUntil(line, '\t'); !version.empty()) {
      file.__set_version(std::string(version));
    }
    file.__set_path(std::string(line));
    return file;
  });
}

wire::DatasetSpec datasetFrom(const Row& row) {
  wire::DatasetSpec dataset;
  dataset.__set_store(row.text(3));
  dataset.__set_table(row.text(4));
  if (!row.text(5).empty()) {
    dataset.__set_predicate(row.text(5));
  }
  dataset.__set_partitions(textsFrom(row.text(6)));
  dataset.__set_features(textsFrom(row.text(7)));
  dataset.__set_ranges(rangesFrom(row.text(8)));
  dataset.__set_manifest(manifestFrom(row.text(9)));
  dataset.__set_order(static_cast<std::int32_t>(row.number(10)));
  if (dataset.order == wire::ReadOrder::SEEDED) {
    dataset.__set_seed(row.number(11));
  }
  dataset.__set_epochs(static_cast<std::int32_t>(row.number(12)));
  return dataset;
}

constexpr const char* kPut =
    "INSERT INTO jobs (id, owner, job_class, store, table_name, predicate, partitions, features, ranges, "
    "manifest, "
    "read_order, seed, epochs, rate, ttl_ms, state, reason, bytes, created_ms, updated_ms, started_ms, "
    "ended_ms, "
    "revision) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, "
    "?20, "
    "?21, ?22, ?23) ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, job_class = excluded.job_class, "
    "store = excluded.store, table_name = excluded.table_name, predicate = excluded.predicate, "
    "partitions = excluded.partitions, features = excluded.features, ranges = excluded.ranges, "
    "manifest = excluded.manifest, read_order = excluded.read_order, seed = excluded.seed, "
    "epochs = excluded.epochs, rate = excluded.rate, ttl_ms = excluded.ttl_ms, state = excluded.state, "
    "reason = excluded.reason, bytes = excluded.bytes, created_ms = excluded.created_ms, "
    "updated_ms = excluded.updated_ms, started_ms = excluded.started_ms, ended_ms = excluded.ended_ms, "
    "revision = excluded.revision";

}  // namespace

wire::Job jobFrom(const Row& row) {
  wire::Job job;
  job.__set_id(row.text(0));
  job.__set_owner(row.text(1));
  job.__set_jobClass(static_cast<std::int32_t>(row.number(2)));
  job.__set_dataset(datasetFrom(row));
  job.__set_expectedBytesPerSecond(row.number(13));
  if (row.number(14) > 0) {
    job.__set_ttlMs(row.number(14));
  }
  job.__set_state(static_cast<std::int32_t>(row.number(15)));
  job.__set_reason(row.text(16));
  job.__set_createdMs(row.number(17));
  job.__set_updatedMs(row.number(18));
  job.__set_startedMs(row.number(19));
  job.__set_endedMs(row.number(20));
  job.__set_revision(row.number(21));
  job.__set_heartbeatMs(row.number(22));
  return job;
}

std::optional<wire::Job> findJob(Database& database, const std::string& id) {
  const std::vector<Row> rows =
      database.query("SELECT * FROM job_rows WHERE id = ?1", {std::string_view(id)});
  return rows.empty() ? std::nullopt : std::optional(jobFrom(rows.front()));
}

std::vector<wire::PartitionProgress> progressOf(Database& database, const std::string& id) {
  std::vector<wire::PartitionProgress> progress;
  for (const Row& row :
       database.query("SELECT directory, read_bytes, finished_revision, updated_ms FROM job_progress "
                      "WHERE job = ?1 ORDER BY directory",
                      {std::string_view(id)})) {
    wire::PartitionProgress& partition = progress.emplace_back();
    partition.__set_directory(row.text(0));
    partition.__set_readBytes(row.number(1));
    partition.__set_finished(row.number(2) > 0);
    partition.__set_updatedMs(row.number(3));
  }
  return progress;
}

void writeJob(Change& change, const std::optional<wire::Job>& before, wire::Job job) {
  const wire::DatasetSpec& dataset = job.dataset;
  const std::string partitions = joined(dataset.partitions);
  const std::string features = joined(dataset.features);
  const std::string ranges = rangesOf(dataset);
  const std::string manifest = manifestOf(dataset);
  job.__set_createdMs(before ? before->createdMs : change.nowMs());
  job.__set_updatedMs(change.nowMs());
  job.__set_revision(change.revision());
  change.run(kPut, {job.id,
                    job.owner,
                    std::int64_t{job.jobClass},
                    dataset.store,
                    dataset.table,
                    dataset.predicate,
                    partitions,
                    features,
                    ranges,
                    manifest,
                    std::int64_t{dataset.order},
                    dataset.seed,
                    std::int64_t{dataset.epochs},
                    job.expectedBytesPerSecond,
                    job.ttlMs,
                    std::int64_t{job.state},
                    job.reason,
                    encodedSize(job),
                    job.createdMs,
                    job.updatedMs,
                    job.startedMs,
                    job.endedMs,
                    job.revision});
  if (!before) {
    change.appeared(wire::ChangeKind::JOBS, job.id);
  }
  change.audit("job", job.id, before ? toJson(*before) : nlohmann::json(), toJson(job));
}

void writeHeartbeat(Change& change, const std::string& id) {
  change.run(
      "INSERT INTO job_heartbeats (job, heartbeat_ms) VALUES (?1, ?2) "
      "ON CONFLICT (job) DO UPDATE SET heartbeat_ms = excluded.heartbeat_ms",
      {std::string_view(id), change.nowMs()});
}

wire::Job inState(wire::Job job, std::int32_t state, const std::string& reason, std::int64_t nowMs) {
  job.__set_state(state);
  job.__set_reason(reason);
  if (state == wire::JobState::RUNNING && job.startedMs == 0) {
    job.__set_startedMs(nowMs);
  }
  if (isFinal(state)) {
    job.__set_endedMs(nowMs);
  }
  return job;
}

}  // namespace shift::gms
