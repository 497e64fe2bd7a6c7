#include "shift-node/AdminJson.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace shift::node {

using nlohmann::json;

json toJson(const wire::Activity& activity) {
  return {{"seconds", activity.seconds},
          {"requests", activity.requests},
          {"hits", activity.hits},
          {"fills", activity.fills},
          {"refusals", activity.refusals},
          {"requested_bytes", activity.requestedBytes},
          {"served_bytes", activity.servedBytes},
          {"fetched_bytes", activity.fetchedBytes},
          {"absorbed_bytes", absorbed(activity)},
          {"dram_hits", activity.dramHits},
          {"flash_hits", activity.flashHits},
          {"segment_misses", activity.segmentMisses},
          {"written_admitted_bytes", activity.admittedBytes},
          {"written_reinserted_bytes", activity.reinsertedBytes},
          {"written_metadata_bytes", activity.metadataBytes}};
}

json toJson(const wire::Traffic& traffic) {
  return {{"name", traffic.name},
          {"requests", traffic.requests},
          {"hits", traffic.hits},
          {"fills", traffic.fills},
          {"refusals", traffic.refusals},
          {"requested_bytes", traffic.requestedBytes},
          {"served_bytes", traffic.servedBytes},
          {"fetched_bytes", traffic.fetchedBytes}};
}

json toJson(const wire::BucketView& bucket) {
  json out = toJson(bucket.traffic);
  out["window_bytes"] = bucket.totalBytes;
  out["window_unique_bytes"] = bucket.uniqueBytes;
  out["historic"] = bucket.historic;
  out["future"] = bucket.future;
  out["hybrid"] = bucket.hybrid;
  out["priority"] = bucket.priority;
  out["decision"] = bucket.decision;
  return out;
}

json toJson(const wire::NodeStatus& status) {
  json out = {{"id", status.id},
              {"address", status.address},
              {"store", status.store},
              {"engine", status.engine},
              {"policy", status.policy},
              {"capacity_bytes", status.capacityBytes},
              {"used_bytes", status.usedBytes},
              {"segments", status.segments},
              {"last_minute", toJson(status.lastMinute)},
              {"last_hour", toJson(status.lastHour)},
              {"since_start", toJson(status.sinceStart)},
              {"write_limit_bytes_per_second", status.writeLimit},
              {"flash_written_bytes", status.flashWrittenBytes},
              {"flash_endurance_bytes", status.flashEndurance},
              {"devices", status.devices},
              {"devices_in_use", status.devicesInUse},
              {"follows_gms", status.followsGms},
              {"gms_answers", status.gmsAnswers}};
  if (status.__isset.admitThreshold) {
    out["admit_threshold"] = status.admitThreshold;
  }
  if (status.__isset.horizonSeconds) {
    out["horizon_seconds"] = status.horizonSeconds;
  }
  if (const auto left = lifeLeft(status)) {
    out["flash_life_left_seconds"] = *left;
  }
  if (status.__isset.arm) {
    out["arm"] = status.arm.name;
  }
  if (status.__isset.trace) {
    out["trace"] = status.trace;
  }
  return out;
}

json toJson(const wire::BlockPlace& place) {
  return {{"path", place.path},
          {"version", place.version},
          {"file_size", place.fileSize},
          {"block_index", place.blockIndex},
          {"block_id", fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(place.blockIdHigh),
                                   static_cast<std::uint64_t>(place.blockIdLow))},
          {"block_bytes", place.blockLength},
          {"cached_bytes", place.cachedBytes}};
}

json toJson(const wire::Explanation& explanation) {
  json out = {{"policy", explanation.policy},
              {"bucket", explanation.bucket},
              {"window_bytes", explanation.totalBytes},
              {"window_unique_bytes", explanation.uniqueBytes},
              {"historic", explanation.historic},
              {"future", explanation.future},
              {"hybrid", explanation.hybrid},
              {"priority", explanation.priority},
              {"known_readers", explanation.knownReaders},
              {"room_left", explanation.roomLeft},
              {"admit", explanation.admit},
              {"reason", explanation.reason},
              {"words", explanation.words},
              {"remedy", explanation.remedy}};
  if (explanation.__isset.admitThreshold) {
    out["admit_threshold"] = explanation.admitThreshold;
    out["reinsert_threshold"] = explanation.reinsertThreshold;
  }
  if (explanation.__isset.horizonSeconds) {
    out["horizon_seconds"] = explanation.horizonSeconds;
  }
  if (explanation.__isset.secondsToNextUse) {
    out["seconds_to_next_use"] = explanation.secondsToNextUse;
  }
  return out;
}

json toJson(const std::map<std::string, ArmSum>& arms) {
  json out = json::object();
  for (const auto& [name, arm] : arms) {
    const auto asked = static_cast<double>(arm.activity.requestedBytes);
    out[name] = {{"nodes", arm.nodes},
                 {"policy", arm.policy},
                 {"activity", toJson(arm.activity)},
                 {"absorbed_share",
                  asked > 0 ? json(static_cast<double>(absorbed(arm.activity)) / asked) : json(nullptr)},
                 {"since_restart", arm.isSinceRestart}};
  }
  return out;
}

}  // namespace shift::node
