#include "shift-node/AdminSums.h"

#include <algorithm>

namespace shift::node {

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

void add(wire::Traffic& sum, const wire::Traffic& more, int sign) {
  sum.name = more.name;
  sum.requests += sign * more.requests;
  sum.hits += sign * more.hits;
  sum.fills += sign * more.fills;
  sum.refusals += sign * more.refusals;
  sum.servedBytes += sign * more.servedBytes;
  sum.fetchedBytes += sign * more.fetchedBytes;
  sum.requestedBytes += sign * more.requestedBytes;
}

void add(wire::BucketView& sum, const wire::BucketView& more) {
  add(sum.traffic, more.traffic);
  sum.totalBytes += more.totalBytes;
  sum.uniqueBytes += more.uniqueBytes;
  sum.historic = std::max(sum.historic, more.historic);
  sum.future = std::max(sum.future, more.future);
  sum.hybrid = std::max(sum.hybrid, more.hybrid);
  sum.priority = std::max(sum.priority, more.priority);
  const bool isSame = sum.decision.empty() || sum.decision == more.decision;
  sum.decision = isSame ? more.decision : "differs";
}

TierSum sumOf(std::span<const wire::NodeStatus> nodes) {
  TierSum sum;
  bool allLimited = true;
  for (const wire::NodeStatus& status : nodes) {
    add(sum.minute, status.lastMinute);
    add(sum.hour, status.lastHour);
    sum.writeLimit += status.writeLimit;
    allLimited &= status.writeLimit > 0;
  }
  sum.writeLimit = allLimited ? sum.writeLimit : 0;
  return sum;
}

std::map<std::string, ArmSum> armsOf(std::span<const wire::NodeStatus> nodes) {
  std::map<std::string, ArmSum> arms;
  for (const wire::NodeStatus& status : nodes) {
    if (status.__isset.arm) {
      ArmSum& sum = arms[status.arm.name];
      sum.nodes.push_back(status.id);
      sum.policy = sum.policy.empty() || sum.policy == status.policy ? status.policy : "mixed";
      add(sum.activity, status.arm.activity);
      sum.isSinceRestart |= status.arm.sinceRestart;
    }
  }
  return arms;
}

Error toError(const wire::Refused& refusal) {
  std::string all;
  for (const std::string& fault : refusal.faults) {
    all += (all.empty() ? "" : "; ") + fault;
  }
  return {ErrorCode::kInvalidArgument, all};
}

std::optional<double> lifeLeft(const wire::NodeStatus& status) {
  const double perSecond = status.lastHour.seconds > 0
                               ? static_cast<double>(written(status.lastHour)) / status.lastHour.seconds
                               : 0;
  if (status.flashEndurance == 0 || perSecond <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(std::max<std::int64_t>(0, status.flashEndurance - status.flashWrittenBytes)) /
         perSecond;
}

}  // namespace shift::node
