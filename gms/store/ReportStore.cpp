#include "gms/store/ReportStore.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "backing-store/StorePath.h"
#include "gms/spec/EntityRules.h"
#include "gms/spec/JobRules.h"
#include "gms/store/JobRows.h"

namespace shift::gms {
namespace {

/** Demand that belongs to no registered table: worth knowing, since nobody has asked for it to be cached. */
constexpr std::string_view kNoTable;

/** False if this report, or a later one of the same reporter, was counted already. */
bool isNew(Change& change, const wire::Report& report) {
  const std::vector<Row> last =
      change.database().query("SELECT sequence FROM reporters WHERE reporter = ?1", {report.reporter});
  if (!last.empty() && last.front().number(0) >= report.sequence) {
    return false;
  }
  change.run(
      "INSERT INTO reporters (reporter, sequence, at_ms) VALUES (?1, ?2, ?3) ON CONFLICT (reporter) DO "
      "UPDATE SET "
      "sequence = excluded.sequence, at_ms = excluded.at_ms",
      {report.reporter, report.sequence, change.nowMs()});
  return true;
}

/** Whether the job is there and has not ended; its first read makes it running. */
bool takeSignOfLife(Change& change, const std::string& id) {
  const std::vector<Row> state = change.database().query("SELECT state FROM jobs WHERE id = ?1", {id});
  if (state.empty() || isFinal(static_cast<std::int32_t>(state.front().number(0)))) {
    return false;
  }
  if (state.front().number(0) == wire::JobState::QUEUED) {
    const std::optional<wire::Job> job = findJob(change.database(), id);
    writeJob(change, job, inState(*job, wire::JobState::RUNNING, "", change.nowMs()));
  }
  writeHeartbeat(change, id);
  return true;
}

wire::ReportOutcome countReads(Change& change, const std::vector<wire::JobRead>& reads) {
  std::map<std::string, std::map<std::string, wire::JobRead>> byJob;
  for (const wire::JobRead& read : reads) {
    wire::JobRead& sum = byJob[read.job][*store::normalisePath(read.directory)];
    sum.bytes += read.bytes;
    sum.finished |= read.finished;
  }
  wire::ReportOutcome outcome;
  std::vector<std::vector<Value>> progress;
  for (const auto& [job, directories] : byJob) {
    if (!takeSignOfLife(change, job)) {
      outcome.unknownJobs.push_back(job);
      continue;
    }
    for (const auto& [directory, read] : directories) {
      const std::int64_t finished = read.finished ? change.revision() : 0;
      progress.push_back({job, directory, read.bytes, finished, change.nowMs()});
    }
  }
  if (!progress.empty()) {
    change.repeat(
        "INSERT INTO job_progress (job, directory, read_bytes, finished_revision, updated_ms) "
        "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (job, directory) DO UPDATE SET "
        "read_bytes = job_progress.read_bytes + excluded.read_bytes, "
        "finished_revision = CASE WHEN job_progress.finished_revision > 0 THEN "
        "job_progress.finished_revision "
        "ELSE excluded.finished_revision END, updated_ms = excluded.updated_ms",
        progress);
  }
  return outcome;
}

struct TableRoot {
  std::string name;
  std::string store;
  std::string root;
};

std::string_view tableOf(const std::vector<TableRoot>& tables, const std::string& store,
                         const std::string& directory) {
  const TableRoot* best = nullptr;
  for (const TableRoot& table : tables) {
    const bool holds =
        table.store == store && (directory == table.root || directory.starts_with(table.root + "/"));
    if (holds && (best == nullptr || table.root.size() > best->root.size())) {
      best = &table;
    }
  }
  return best == nullptr ? kNoTable : std::string_view(best->name);
}

void countDemand(Change& change, const wire::Report& report) {
  if (report.throughCache.empty() && report.pastCache.empty()) {
    return;
  }
  std::vector<TableRoot> tables;
  for (const Row& row : change.database().query("SELECT name, store, root FROM tables")) {
    tables.push_back({row.text(0), row.text(1), row.text(2)});
  }
  std::map<std::pair<std::string_view, std::int64_t>, std::int64_t> sums;
  const auto add = [&](const std::vector<wire::DirectoryDemand>& demands, std::int64_t pastCache) {
    for (const wire::DirectoryDemand& demand : demands) {
      const std::string directory = *store::normalisePath(demand.directory);
      sums[{tableOf(tables, demand.store, directory), pastCache}] += demand.bytes;
    }
  };
  add(report.throughCache, 0);
  add(report.pastCache, 1);
  std::vector<std::vector<Value>> rows;
  for (const auto& [key, bytes] : sums) {
    rows.push_back({key.first, change.nowMs() / kMsPerHour, key.second, bytes});
  }
  change.repeat(
      "INSERT INTO table_demand (table_name, hour, past_cache, bytes) VALUES (?1, ?2, ?3, ?4) "
      "ON CONFLICT (table_name, hour, past_cache) DO UPDATE SET bytes = table_demand.bytes + excluded.bytes",
      rows);
}

void countShadow(Change& change, const wire::Report& report) {
  if (!report.__isset.shadow) {
    return;
  }
  const wire::ShadowReport& found = report.shadow;
  change.run(
      "INSERT INTO shadow (reporter, reads, bytes, mismatches, last_mismatch, updated_ms) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (reporter) DO UPDATE SET "
      "reads = shadow.reads + excluded.reads, bytes = shadow.bytes + excluded.bytes, "
      "mismatches = shadow.mismatches + excluded.mismatches, "
      "last_mismatch = CASE WHEN excluded.last_mismatch = '' THEN shadow.last_mismatch "
      "ELSE excluded.last_mismatch END, updated_ms = excluded.updated_ms",
      {report.reporter, found.reads, found.bytes, found.mismatches, found.lastMismatch, change.nowMs()});
}

}  // namespace

Result<wire::ReportOutcome> ReportStore::report(const wire::Report& report) {
  if (const Faults faults = faultsOf(report); !faults.empty()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults, "\n"))};
  }
  wire::Caller reporter;
  reporter.__set_actor(report.reporter);
  const auto apply = [&](Change& change) -> Result<wire::ReportOutcome> {
    if (!isNew(change, report)) {
      return wire::ReportOutcome();
    }
    wire::ReportOutcome outcome = countReads(change, report.reads);
    countDemand(change, report);
    countShadow(change, report);
    return outcome;
  };
  return store_.write({reporter, ""}, apply,
                      [](Database&) -> Result<wire::ReportOutcome> { return wire::ReportOutcome(); });
}

Result<std::vector<wire::ShadowResult>> ReportStore::shadow() {
  return store_.read([](Database& database) -> Result<std::vector<wire::ShadowResult>> {
    std::vector<wire::ShadowResult> results;
    for (const Row& row : database.query(
             "SELECT reporter, reads, bytes, mismatches, last_mismatch, updated_ms FROM shadow ORDER BY "
             "reporter")) {
      wire::ShadowResult& result = results.emplace_back();
      result.__set_reporter(row.text(0));
      result.found.__set_reads(row.number(1));
      result.found.__set_bytes(row.number(2));
      result.found.__set_mismatches(row.number(3));
      result.found.__set_lastMismatch(row.text(4));
      result.__set_updatedMs(row.number(5));
    }
    return results;
  });
}

Status ReportStore::clearShadow(const wire::Caller& caller) {
  const auto apply = [](Change& change) -> Status {
    change.run("DELETE FROM shadow", {});
    return {};
  };
  return store_.write({caller, "clear shadow"}, apply, [](Database&) -> Status { return {}; });
}

}  // namespace shift::gms
