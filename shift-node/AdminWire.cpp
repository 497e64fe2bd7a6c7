#include "shift-node/AdminWire.h"

#include <cmath>

namespace shift::node {
namespace {

std::int64_t number(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

}  // namespace

wire::Traffic toWire(const std::string& name, const Traffic& traffic) {
  wire::Traffic row;
  row.__set_name(name);
  row.__set_requests(number(traffic.requests));
  row.__set_hits(number(traffic.hits));
  row.__set_fills(number(traffic.fills));
  row.__set_refusals(number(traffic.refusals));
  row.__set_servedBytes(number(traffic.servedBytes));
  row.__set_fetchedBytes(number(traffic.fetchedBytes));
  row.__set_requestedBytes(number(traffic.requestedBytes));
  return row;
}

wire::Activity toWire(const ActivityPoint& from, const ActivityPoint& to) {
  wire::Activity activity;
  activity.__set_seconds(std::chrono::duration<double>(to.at - from.at).count());
  activity.__set_requests(number(to.traffic.requests - from.traffic.requests));
  activity.__set_hits(number(to.traffic.hits - from.traffic.hits));
  activity.__set_fills(number(to.traffic.fills - from.traffic.fills));
  activity.__set_refusals(number(to.traffic.refusals - from.traffic.refusals));
  activity.__set_servedBytes(number(to.traffic.servedBytes - from.traffic.servedBytes));
  activity.__set_fetchedBytes(number(to.traffic.fetchedBytes - from.traffic.fetchedBytes));
  activity.__set_requestedBytes(number(to.traffic.requestedBytes - from.traffic.requestedBytes));
  activity.__set_dramHits(number(to.engine.dramHits - from.engine.dramHits));
  activity.__set_flashHits(number(to.engine.flashHits - from.engine.flashHits));
  activity.__set_segmentMisses(number(to.engine.misses - from.engine.misses));
  activity.__set_admittedBytes(number(to.engine.admittedBytes - from.engine.admittedBytes));
  activity.__set_reinsertedBytes(number(to.engine.reinsertedBytes - from.engine.reinsertedBytes));
  activity.__set_metadataBytes(number(to.engine.metadataBytes - from.engine.metadataBytes));
  return activity;
}

wire::HistoryPoint toHistoryPoint(const ActivityPoint& start, const ActivityPoint& point) {
  wire::HistoryPoint to;
  to.__set_atMs(point.wallMs);
  to.__set_total(toWire(start, point));
  to.__set_usedBytes(number(point.usedBytes));
  if (std::isfinite(point.thresholds.admit)) {
    to.__set_admitThreshold(point.thresholds.admit);
  }
  if (std::isfinite(point.thresholds.horizonSeconds)) {
    to.__set_horizonSeconds(point.thresholds.horizonSeconds);
  }
  return to;
}

wire::NodeParameter toWire(const LiveParameters::Setting& setting) {
  wire::NodeParameter parameter;
  parameter.__set_name(setting.now.key);
  parameter.__set_value(setting.now.value);
  parameter.__set_help(setting.now.help);
  parameter.__set_configured(setting.configured);
  parameter.__set_source(setting.source);
  return parameter;
}

wire::Explanation toWire(const control::Explanation& from) {
  wire::Explanation to;
  to.__set_policy(from.policy);
  to.__set_bucket(from.bucket);
  to.__set_totalBytes(from.totalBytes);
  to.__set_uniqueBytes(from.uniqueBytes);
  to.__set_historic(from.historic);
  to.__set_future(from.future);
  to.__set_hybrid(from.hybrid);
  to.__set_priority(from.priority);
  if (std::isfinite(from.thresholds.admit)) {
    to.__set_admitThreshold(from.thresholds.admit);
    to.__set_reinsertThreshold(from.thresholds.reinsert);
  }
  if (std::isfinite(from.thresholds.horizonSeconds)) {
    to.__set_horizonSeconds(from.thresholds.horizonSeconds);
  }
  if (!from.nextUseIsGuess) {
    to.__set_secondsToNextUse(from.secondsToNextUse);
  }
  to.__set_knownReaders(static_cast<std::int32_t>(from.knownReaders));
  to.__set_roomLeft(std::isinf(from.evictionFloor));
  to.__set_admit(from.decision.admit);
  to.__set_reason(std::string(control::toString(from.decision.reason)));
  to.__set_words(from.inWords());
  to.__set_remedy(from.remedy());
  return to;
}

wire::BucketView toWire(const wire::Traffic& traffic, const control::BucketDescription& bucket) {
  wire::BucketView view;
  view.__set_traffic(traffic);
  view.__set_totalBytes(bucket.facts.totalBytes);
  view.__set_uniqueBytes(bucket.facts.uniqueBytes);
  view.__set_historic(bucket.historic);
  view.__set_future(bucket.future);
  view.__set_hybrid(bucket.hybrid);
  view.__set_priority(bucket.priority);
  view.__set_decision(!bucket.admits ? "by block" : *bucket.admits ? "admit" : "refuse");
  return view;
}

wire::TraceInfo toWire(const RequestRecorder::Recording& recording) {
  wire::TraceInfo info;
  info.__set_file(recording.file);
  info.__set_requests(number(recording.requests));
  info.__set_bytes(number(recording.bytes));
  info.__set_leftOut(number(recording.leftOut));
  return info;
}

wire::Eviction toWire(const CacheKeeper::Evicted& evicted) {
  wire::Eviction to;
  to.__set_files(number(evicted.files));
  to.__set_segments(number(evicted.segments));
  to.__set_bytes(number(evicted.bytes));
  return to;
}

wire::Verification toWire(const CacheKeeper::Step& step) {
  wire::Verification to;
  to.__set_segments(number(step.verified.segments));
  to.__set_bytes(number(step.verified.bytes));
  to.__set_failures(number(step.failures));
  if (!step.cursor.empty()) {
    to.__set_cursor(step.cursor);
  }
  return to;
}

}  // namespace shift::node
