#include "shift-node/control/GmsLink.h"

#include <algorithm>
#include <map>
#include <memory>

#include "common/Log.h"
#include "common/WallMilliseconds.h"
#include "gms/MemberRing.h"

namespace shift::node {
namespace {

/** Entries in a report; the GMS takes at most ten thousand. */
constexpr std::size_t kMaxEntries = 5000;
/** Reports that wait for a GMS that is down; beyond it reads go on being counted together, and take no more
 * room. */
constexpr std::size_t kMaxWaiting = 20;
/** What the names of parameters for clients begin with. */
constexpr const char* kForClients = "client.";

}  // namespace

GmsLink::GmsLink(const Config& config, Calls calls, ReadTally& tally, const Clock& clock,
                 CounterRegistry& counters)
    : config_(config),
      calls_(std::move(calls)),
      tally_(tally),
      knownJobs_(counters.counter("node_gms_active_jobs", "Jobs queued or running, as the GMS last said")),
      reportFailures_(
          counters.counter("node_gms_report_failures_total", "Reports that the GMS did not take; they wait")),
      droppedReads_(counters.counter("node_gms_reads_dropped_total",
                                     "Requests that are in no report because there was no room")),
      refusedReports_(
          counters.counter("node_gms_reports_refused_total", "Reports that the GMS refused; they are gone")),
      follower_(
          {.kinds = wire::ChangeKind::JOBS | wire::ChangeKind::PARAMETERS |
                    (config.followsRing ? wire::ChangeKind::MEMBERS : 0),
           .file = config.snapshotFile,
           .counterPrefix = "node"},
          calls_.changesSince,
          [this](const gms::Snapshot& snapshot, const gms::SnapshotUpdate& update) {
            SpecNews more = toNews(snapshot, update);
            std::ranges::move(more.specs, std::back_inserter(news_.specs));
            std::ranges::move(more.finished, std::back_inserter(news_.finished));
            parametersChanged_ |= update.parameters;
            membersChanged_ |= update.members;
          },
          clock, counters),
      // Above all that this node has used before, also before a restart.
      sequence_(wallMilliseconds(clock)) {}

SpecNews GmsLink::follow() {
  const Status followed = follower_.tick();  // what went wrong is in its counters
  knownJobs_.set(static_cast<std::int64_t>(follower_.snapshot()->jobs.size()));
  return std::exchange(news_, {});
}

std::optional<std::map<std::string, std::string>> GmsLink::takeParameters() {
  if (!std::exchange(parametersChanged_, false)) {
    return std::nullopt;
  }
  std::map<std::string, std::string> values;
  const auto known = follower_.snapshot();
  for (const std::string& node : {std::string(), config_.node}) {
    for (const auto& [key, parameter] : known->parameters) {
      if (parameter->node == node && !parameter->name.starts_with(kForClients)) {
        values[parameter->name] = parameter->value;
      }
    }
  }
  return values;
}

std::optional<control::Ownership> GmsLink::takeOwnership() {
  if (!std::exchange(membersChanged_, false)) {
    return std::nullopt;
  }
  auto ring = std::make_shared<const ring::Ring>(gms::memberRingOf(*follower_.snapshot()).ring);
  const bool isMember = std::ranges::any_of(
      ring->members(), [this](const ring::Member& member) { return member.id == config_.node; });
  if (!isMember) {
    return control::Ownership();  // who asks it, asks by a ring that the GMS does not know
  }
  return
      [ring = std::move(ring), id = config_.node](const BlockId& block) { return ring->isOwner(id, block); };
}

std::optional<std::vector<control::ListedFile>> GmsLink::filesByManifest(const std::string& bucket) const {
  return node::filesByManifest(*follower_.snapshot(), bucket);
}

void GmsLink::report() {
  if (waiting_.size() < kMaxWaiting) {
    makeReports();
  }
  droppedReads_.set(static_cast<std::int64_t>(tally_.dropped()));
  while (!waiting_.empty()) {
    const Result<wire::ReportOutcome> outcome = calls_.report(waiting_.front());
    if (!outcome && outcome.error().code != ErrorCode::kInvalidArgument) {
      reportFailures_.add();
      return;
    }
    if (!outcome) {
      refusedReports_.add();
      logWarning("the GMS refuses a report of reads: " + outcome.error().message);
    }
    waiting_.pop_front();
  }
}

void GmsLink::makeReports() {
  const ReadTally::Bytes bytes = tally_.take();
  std::map<std::pair<std::string, std::string>, std::int64_t> demand;
  wire::Report report;
  const auto close = [&] {
    report.__set_reporter(config_.node);
    report.__set_sequence(++sequence_);
    report.__isset.reads = true;
    report.__isset.throughCache = true;
    waiting_.push_back(std::exchange(report, {}));
  };
  for (const auto& [reader, count] : bytes) {
    demand[{reader.store, reader.directory}] += static_cast<std::int64_t>(count);
    if (reader.job.empty()) {
      continue;
    }
    wire::JobRead& read = report.reads.emplace_back();
    read.__set_job(reader.job);
    read.__set_directory(reader.directory);
    read.__set_bytes(static_cast<std::int64_t>(count));
    if (report.reads.size() == kMaxEntries) {
      close();
    }
  }
  for (const auto& [place, count] : demand) {
    wire::DirectoryDemand& entry = report.throughCache.emplace_back();
    entry.__set_store(place.first);
    entry.__set_directory(place.second);
    entry.__set_bytes(count);
    if (report.throughCache.size() == kMaxEntries) {
      close();
    }
  }
  if (!report.reads.empty() || !report.throughCache.empty()) {
    close();
  }
}

}  // namespace shift::node
