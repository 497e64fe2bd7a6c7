#include "shift-node/TrafficLedger.h"

namespace shift::node {

void TrafficLedger::record(const GetRecord& get) {
  std::lock_guard lock(mutex_);
  add(byBucket_, get.bucket, get);
  add(byJob_, get.job, get);
}

TrafficLedger::ByName TrafficLedger::byBucket() const {
  std::lock_guard lock(mutex_);
  return byBucket_;
}

TrafficLedger::ByName TrafficLedger::byJob() const {
  std::lock_guard lock(mutex_);
  return byJob_;
}

void TrafficLedger::add(ByName& sums, const std::string& name, const GetRecord& get) {
  const bool full = sums.size() >= maxNames_ && !sums.contains(name);
  Traffic& sum = sums[full ? kOthers : name];
  sum.requests += get.outcome == GetRecord::Outcome::kPrefetched ? 0 : 1;
  sum.hits += get.outcome == GetRecord::Outcome::kHit ? 1 : 0;
  sum.fills += get.outcome == GetRecord::Outcome::kFilled ? 1 : 0;
  sum.refusals += get.outcome == GetRecord::Outcome::kRefused ? 1 : 0;
  sum.servedBytes += get.servedBytes;
  sum.fetchedBytes += get.fetchedBytes;
}

}  // namespace shift::node
