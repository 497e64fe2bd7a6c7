#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "thrift/admin_types.h"

namespace shift::ctl {

/** "12.3 MB/s": decimal units, as write limits and disks are rated. */
std::string rate(double bytes, double seconds);
/** "82 %"; "-" of nothing. */
std::string percent(double part, double whole);
/** "3.2 years", "5 days", "12 min", "40 s". */
std::string span(double seconds);
/** "2 min ago"; "never" for 0. */
std::string ago(std::int64_t ms, std::int64_t nowMs);

/** Absorbed: what clients were given and the backing store was not asked for. Negative where fills fetch
 * more. */
inline std::int64_t absorbed(const wire::Activity& activity) {
  return activity.servedBytes - activity.fetchedBytes;
}
inline std::int64_t written(const wire::Activity& activity) {
  return activity.admittedBytes + activity.reinsertedBytes + activity.metadataBytes;
}
/** Sums; the longer of both times. */
void add(wire::Activity& sum, const wire::Activity& more);

nlohmann::json toJson(const wire::Activity& activity);
nlohmann::json toJson(const wire::Traffic& traffic);
nlohmann::json toJson(const wire::BucketView& bucket);

enum class Color { kGood, kBad, kDim, kBold };
/** The text in that colour, if colours are wanted. */
std::string colored(bool isWanted, Color color, std::string_view text);

}  // namespace shift::ctl
