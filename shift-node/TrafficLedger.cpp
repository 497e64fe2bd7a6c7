#include "shift-node/TrafficLedger.h"

#include <algorithm>

namespace shift::node {
namespace {

/** Gets wait for whoever looks through the names: for so many at most. */
constexpr std::size_t kNamesPerLock = 1000;

}  // namespace

void Traffic::add(const GetRecord& get) {
  requests += get.outcome == GetRecord::Outcome::kPrefetched ? 0 : 1;
  hits += get.outcome == GetRecord::Outcome::kHit ? 1 : 0;
  fills += get.outcome == GetRecord::Outcome::kFilled ? 1 : 0;
  refusals += get.outcome == GetRecord::Outcome::kRefused ? 1 : 0;
  servedBytes += get.servedBytes;
  fetchedBytes += get.fetchedBytes;
  requestedBytes += get.requestedBytes;
}

void TrafficLedger::record(const GetRecord& get) {
  std::lock_guard lock(mutex_);
  add(byBucket_, get.bucket, get);
  add(byJob_, get.job, get);
  total_.add(get);
}

TrafficLedger::ByName TrafficLedger::byBucket() const {
  return copyOf(byBucket_);
}

TrafficLedger::ByName TrafficLedger::byJob() const {
  return copyOf(byJob_);
}

Traffic TrafficLedger::total() const {
  std::lock_guard lock(mutex_);
  return total_;
}

TrafficLedger::ByName TrafficLedger::copyOf(const Sums& sums) const {
  std::lock_guard lock(mutex_);
  ByName copy;
  for (const auto& [name, entry] : sums.entries) {
    copy.emplace_hint(copy.end(), name, entry.sum);
  }
  return copy;
}

void TrafficLedger::add(Sums& sums, const std::string& name, const GetRecord& get) {
  auto entry = sums.entries.find(name);
  if (entry == sums.entries.end()) {
    const bool isFull = sums.entries.size() >= maxNames_;
    entry = sums.entries.try_emplace(isFull ? kOthers : name).first;
    if (entry->first != kOthers && sums.shown.size() < maxSeries_) {
      entry->second.hasSeries = true;
      sums.shown.push_back(entry);
    }
  }
  entry->second.sum.add(get);
  if (!entry->second.hasSeries) {
    sums.others.add(get);
  }
}

std::vector<TrafficLedger::Entries::iterator> TrafficLedger::mostServed(Sums& sums) {
  struct Candidate {
    std::uint64_t servedBytes;
    Entries::iterator entry;
  };
  std::vector<Candidate> candidates;
  std::unique_lock lock(mutex_);
  for (auto entry = sums.entries.begin(); entry != sums.entries.end(); ++entry) {
    if (entry->first != kOthers) {
      candidates.push_back({entry->second.sum.servedBytes, entry});
    }
    if (candidates.size() % kNamesPerLock == 0) {
      lock.unlock();
      lock.lock();
    }
  }
  lock.unlock();
  if (candidates.size() > maxSeries_) {
    const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(maxSeries_);
    std::nth_element(candidates.begin(), last, candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.servedBytes > b.servedBytes; });
    candidates.erase(last, candidates.end());
  }
  std::vector<Entries::iterator> chosen;
  for (const Candidate& candidate : candidates) {
    chosen.push_back(candidate.entry);
  }
  return chosen;
}

std::vector<NamedTraffic> TrafficLedger::series(Sums& sums) {
  std::vector<Entries::iterator> chosen = mostServed(sums);
  std::lock_guard lock(mutex_);
  for (const Entries::iterator entry : sums.shown) {
    entry->second.hasSeries = false;
  }
  sums.shown = std::move(chosen);
  std::vector<NamedTraffic> told;
  for (const Entries::iterator entry : sums.shown) {
    entry->second.hasSeries = true;
    told.push_back({entry->first, entry->second.sum});
  }
  if (sums.others.requests > 0 || sums.others.fetchedBytes > 0) {
    told.push_back({kOthers, sums.others});
  }
  return told;
}

}  // namespace shift::node
