#include "shift-node/TrafficLedger.h"

namespace shift::node {
namespace {

void enter(Traffic& sum, const GetRecord& get) {
  sum.requests += get.outcome == GetRecord::Outcome::kPrefetched ? 0 : 1;
  sum.hits += get.outcome == GetRecord::Outcome::kHit ? 1 : 0;
  sum.fills += get.outcome == GetRecord::Outcome::kFilled ? 1 : 0;
  sum.refusals += get.outcome == GetRecord::Outcome::kRefused ? 1 : 0;
  sum.servedBytes += get.servedBytes;
  sum.fetchedBytes += get.fetchedBytes;
  sum.requestedBytes += get.requestedBytes;
}

}  // namespace

void TrafficLedger::record(const GetRecord& get) {
  std::lock_guard lock(mutex_);
  enter(sumOf(byBucket_, get.bucket), get);
  enter(sumOf(byJob_, get.job), get);
  enter(total_, get);
}

TrafficLedger::ByName TrafficLedger::byBucket() const {
  std::lock_guard lock(mutex_);
  return byBucket_;
}

TrafficLedger::ByName TrafficLedger::byJob() const {
  std::lock_guard lock(mutex_);
  return byJob_;
}

Traffic TrafficLedger::total() const {
  std::lock_guard lock(mutex_);
  return total_;
}

Traffic& TrafficLedger::sumOf(ByName& sums, const std::string& name) const {
  const bool full = sums.size() >= maxNames_ && !sums.contains(name);
  return sums[full ? kOthers : name];
}

}  // namespace shift::node
