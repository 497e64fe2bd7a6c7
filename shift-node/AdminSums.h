#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/Error.h"
#include "thrift/admin_types.h"

namespace shift::node {

// What the admin services of several nodes told, taken together; for all who show it.

/** What clients were given and the backing store was not asked for. Negative where fills fetch more. */
inline std::int64_t absorbed(const wire::Activity& activity) {
  return activity.servedBytes - activity.fetchedBytes;
}
inline std::int64_t written(const wire::Activity& activity) {
  return activity.admittedBytes + activity.reinsertedBytes + activity.metadataBytes;
}

/** Sums; the longer of both times. */
void add(wire::Activity& sum, const wire::Activity& more);
/** Sums, or with a sign of -1 differences. */
void add(wire::Traffic& sum, const wire::Traffic& more, int sign = 1);
/** Sums; the highest priorities, and "differs" where nodes decide differently. */
void add(wire::BucketView& sum, const wire::BucketView& more);

/** The nodes that answered, as one. */
struct TierSum {
  wire::Activity minute;
  wire::Activity hour;
  std::int64_t writeLimit = 0;  // 0: some node has none
};
TierSum sumOf(std::span<const wire::NodeStatus> nodes);

/** One arm of a comparison of two policies, over its nodes. */
struct ArmSum {
  std::vector<std::string> nodes;
  std::string policy;  // "mixed" if they differ
  wire::Activity activity;
  bool isSinceRestart = false;
};
/** By name; none if no node is in a comparison. */
std::map<std::string, ArmSum> armsOf(std::span<const wire::NodeStatus> nodes);

/** What a node refuses, as an error with all its reasons: kInvalidArgument. */
Error toError(const wire::Refused& refusal);

/** Seconds that the flash lasts at the last hour's rate; nothing if it is not rated or not written. */
std::optional<double> lifeLeft(const wire::NodeStatus& status);

}  // namespace shift::node
