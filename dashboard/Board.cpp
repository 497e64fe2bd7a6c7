#include "dashboard/Board.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "shift-node/AdminJson.h"

namespace shift::dashboard {
namespace {

using nlohmann::json;

/** Rows of buckets, and of jobs, that a page is given: those that are asked for most. */
constexpr std::size_t kMaxRows = 200;
/** A node's newest sample is not much older than this, if it answers and its clock is right. */
constexpr std::int64_t kSampleDelayMs = 3 * Step::kStepMs;

json toJson(const std::optional<Extent>& extent) {
  return extent ? json::array({extent->low, extent->high}) : json(nullptr);
}

json toJson(const Step& step) {
  return {{"at_ms", step.endMs},
          {"requested_bytes", std::llround(step.volume.requested)},
          {"served_bytes", std::llround(step.volume.served)},
          {"fetched_bytes", std::llround(step.volume.fetched)},
          {"written_bytes", std::llround(step.volume.written)},
          {"admit_threshold", toJson(step.admitThreshold)},
          {"horizon_seconds", toJson(step.horizonSeconds)}};
}

json toJson(const TierJob& job) {
  return {{"id", job.id},
          {"owner", job.owner},
          {"state", job.state},
          {"table", job.table},
          {"epochs", job.epochs},
          {"partitions", job.partitions},
          {"finished_partitions", job.finishedPartitions},
          {"read_bytes", job.readBytes},
          {"stretches", job.stretches}};
}

/** The rows that are asked for most, at most so many. */
template <typename Row, typename Requests>
std::vector<Row> busiest(const std::map<std::string, Row>& byName, Requests requests) {
  std::vector<Row> rows;
  rows.reserve(byName.size());
  for (const auto& [name, row] : byName) {
    rows.push_back(row);
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), requests);
  rows.resize(std::min(rows.size(), kMaxRows));
  return rows;
}

}  // namespace

void Board::adopt(const TierView& view, const std::vector<Result<NodeReport>>& answers, std::int64_t nowMs) {
  const std::lock_guard lock(mutex_);
  fault_.clear();
  askedMs_ = nowMs;
  jobs_ = view.jobs;
  for (auto& [id, record] : records_) {
    record.isMember = false;
    record.timeline.forgetBefore(nowMs - kHourMs);
  }
  for (std::size_t i = 0; i < view.nodes.size(); ++i) {
    Record& record = records_[view.nodes[i].id];
    record.node = view.nodes[i];
    record.node.voice.reset();
    record.isMember = true;
    if (!answers[i]) {
      record.fault = answers[i].error().message;
      record.details.reset();
      continue;
    }
    record.fault.clear();
    record.heardMs = nowMs;
    record.status = answers[i]->status;
    record.details = answers[i]->details;
    record.timeline.add(answers[i]->history, nowMs);
  }
  std::erase_if(records_, [](const auto& entry) {
    return !entry.second.isMember && entry.second.timeline.samples().empty();
  });
}

void Board::failed(const std::string& why) {
  const std::lock_guard lock(mutex_);
  fault_ = why;
}

std::int64_t Board::historyKnownUntil(const std::string& node) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(node);
  return found == records_.end() ? 0 : found->second.timeline.newestMs();
}

json Board::state(std::int64_t afterMs, std::int64_t nowMs) const {
  const std::lock_guard lock(mutex_);
  std::vector<wire::NodeStatus> answering;
  std::size_t members = 0;
  bool isDetailed = false;
  for (const auto& [id, record] : records_) {
    members += record.isMember ? 1 : 0;
    if (record.isMember && record.fault.empty() && record.status) {
      answering.push_back(*record.status);
      isDetailed |= record.details.has_value();
    }
  }
  const node::TierSum sum = node::sumOf(answering);
  return {{"kind", kind_},
          {"now_ms", nowMs},
          {"asked_ms", askedMs_},
          {"fault", fault_},
          {"detailed", isDetailed},
          {"step_ms", Step::kStepMs},
          {"sums",
           {{"nodes", members},
            {"nodes_answering", answering.size()},
            {"last_minute", node::toJson(sum.minute)},
            {"last_hour", node::toJson(sum.hour)},
            {"write_limit_bytes_per_second", sum.writeLimit}}},
          {"arms", node::toJson(node::armsOf(answering))},
          {"nodes", nodesJson()},
          {"buckets", bucketsJson()},
          {"jobs", jobsJson()},
          {"history", historyJson(afterMs, nowMs)}};
}

json Board::nodesJson() const {
  json rows = json::array();
  for (const auto& [id, record] : records_) {
    if (!record.isMember) {
      continue;
    }
    rows.push_back({{"id", id},
                    {"admin_address", record.node.adminAddress},
                    {"state", record.node.state},
                    {"weight", record.node.weight},
                    {"share", record.node.share},
                    {"answers", record.fault.empty()},
                    {"fault", record.fault},
                    {"heard_ms", record.heardMs},
                    {"status", record.status ? node::toJson(*record.status) : json(nullptr)}});
  }
  return rows;
}

json Board::bucketsJson() const {
  std::map<std::string, wire::BucketView> sums;
  for (const auto& [id, record] : records_) {
    for (const wire::BucketView& bucket :
         record.details ? record.details->buckets : std::vector<wire::BucketView>()) {
      node::add(sums[bucket.traffic.name], bucket);
    }
  }
  json rows = json::array();
  for (const wire::BucketView& bucket :
       busiest(sums, [](const wire::BucketView& row) { return row.traffic.requests; })) {
    rows.push_back(node::toJson(bucket));
  }
  return rows;
}

json Board::jobsJson() const {
  std::map<std::string, wire::Traffic> traffic;
  for (const auto& [id, record] : records_) {
    for (const wire::Traffic& job : record.details ? record.details->jobs : std::vector<wire::Traffic>()) {
      node::add(traffic[job.name], job);
    }
  }
  json rows = json::array();
  for (const TierJob& job : jobs_) {
    json row = toJson(job);
    const auto seen = traffic.find(job.id);
    row["traffic"] = seen == traffic.end() ? json(nullptr) : node::toJson(seen->second);
    if (seen != traffic.end()) {
      traffic.erase(seen);
    }
    rows.push_back(std::move(row));
  }
  for (const wire::Traffic& unannounced : busiest(traffic, &wire::Traffic::requests)) {
    rows.push_back({{"id", unannounced.name}, {"state", ""}, {"traffic", node::toJson(unannounced)}});
  }
  return rows;
}

/** Up to where all nodes that answer have told; one whose clock is wrong does not hold up the others. */
json Board::historyJson(std::int64_t afterMs, std::int64_t nowMs) const {
  std::vector<const Timeline*> timelines;
  std::int64_t untilMs = nowMs;
  for (const auto& [id, record] : records_) {
    timelines.push_back(&record.timeline);
    if (record.isMember && record.fault.empty() && !record.timeline.samples().empty()) {
      untilMs = std::min(untilMs, record.timeline.newestMs());
    }
  }
  untilMs = std::max(untilMs, nowMs - kSampleDelayMs);
  json steps = json::array();
  for (const Step& step : stepsOf(timelines, std::max(afterMs, nowMs - kHourMs), untilMs)) {
    steps.push_back(toJson(step));
  }
  return steps;
}

}  // namespace shift::dashboard
