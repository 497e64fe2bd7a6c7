#include "tools/ctl/Format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace shift::ctl {

using nlohmann::json;

std::string rate(double bytes, double seconds) {
  if (seconds <= 0) {
    return "-";
  }
  double value = bytes / seconds;
  const char* unit = "B/s";
  for (const char* larger : {"kB/s", "MB/s", "GB/s", "TB/s"}) {
    if (std::abs(value) < 1000) {
      break;
    }
    value /= 1000;
    unit = larger;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

std::string span(double seconds) {
  if (!std::isfinite(seconds)) {
    return "for ever";
  }
  struct Unit {
    double seconds;
    const char* name;
  };
  for (const Unit& unit :
       {Unit{365.25 * 86400, "years"}, Unit{86400, "days"}, Unit{3600, "h"}, Unit{60, "min"}}) {
    if (seconds >= 2 * unit.seconds) {
      return fmt::format("{:.1f} {}", seconds / unit.seconds, unit.name);
    }
  }
  return fmt::format("{:.0f} s", seconds);
}

std::string ago(std::int64_t ms, std::int64_t nowMs) {
  return ms <= 0 ? "never" : span(static_cast<double>(std::max<std::int64_t>(0, nowMs - ms)) / 1000) + " ago";
}

void add(wire::Activity& sum, const wire::Activity& more) {
  sum.seconds = std::max(sum.seconds, more.seconds);
  sum.requests += more.requests;
  sum.hits += more.hits;
  sum.fills += more.fills;
  sum.refusals += more.refusals;
  sum.servedBytes += more.servedBytes;
  sum.fetchedBytes += more.fetchedBytes;
  sum.requestedBytes += more.requestedBytes;
  sum.dramHits += more.dramHits;
  sum.flashHits += more.flashHits;
  sum.segmentMisses += more.segmentMisses;
  sum.admittedBytes += more.admittedBytes;
  sum.reinsertedBytes += more.reinsertedBytes;
  sum.metadataBytes += more.metadataBytes;
}

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

std::string colored(bool isWanted, Color color, std::string_view text) {
  if (!isWanted) {
    return std::string(text);
  }
  const char* code = "0";
  switch (color) {
    case Color::kGood:
      code = "32";
      break;
    case Color::kBad:
      code = "31";
      break;
    case Color::kDim:
      code = "2";
      break;
    case Color::kBold:
      code = "1";
      break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace shift::ctl
