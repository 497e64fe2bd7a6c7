#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace shift::node {

/** What became of one get, or of a prefetch, which is not counted as a request. */
struct GetRecord {
  std::string bucket;
  std::string job;
  enum class Outcome { kHit, kFilled, kRefused, kFailed, kPrefetched } outcome = Outcome::kFailed;
  std::uint64_t servedBytes = 0;   // returned to the client
  std::uint64_t fetchedBytes = 0;  // read from the backing store on its account
  std::uint64_t requestedBytes = 0;
};

/** Sums over gets. Absorbed IO is served minus fetched: negative where fills fetch more than was asked for.
 */
struct Traffic {
  std::uint64_t requests = 0;
  std::uint64_t hits = 0;
  std::uint64_t fills = 0;
  std::uint64_t refusals = 0;
  std::uint64_t servedBytes = 0;
  std::uint64_t fetchedBytes = 0;
  std::uint64_t requestedBytes = 0;

  void add(const GetRecord& get);
};

struct NamedTraffic {
  std::string name;
  Traffic traffic;
};

/**
 * Who was served what: sums per bucket and per job since the start. Bounded: past `maxNames` of either,
 * newcomers are counted together under kOthers. Thread-safe.
 *
 * For metrics only `maxSeries` of either have a series of their own, those that were served most. Counters
 * must not fall when the choice changes: what a name reads while it has no series is counted for the others
 * then and there, and stays there.
 */
class TrafficLedger {
 public:
  static constexpr const char* kOthers = "(others)";
  using ByName = std::map<std::string, Traffic>;

  explicit TrafficLedger(std::size_t maxNames, std::size_t maxSeries = 200)
      : maxNames_(maxNames), maxSeries_(maxSeries) {}

  void record(const GetRecord& get);
  ByName byBucket() const;
  ByName byJob() const;
  Traffic total() const;

  /** Chooses anew who has a series, and tells these and, last, the others if there are any. */
  std::vector<NamedTraffic> seriesByBucket() { return series(byBucket_); }
  std::vector<NamedTraffic> seriesByJob() { return series(byJob_); }

 private:
  struct Entry {
    Traffic sum;
    bool hasSeries = false;
  };
  using Entries = std::map<std::string, Entry>;  // which nothing ever leaves
  struct Sums {
    Entries entries;
    std::vector<Entries::iterator> shown;  // those with a series
    Traffic others;                        // of those without, while they had none
  };

  void add(Sums& sums, const std::string& name, const GetRecord& get);
  std::vector<NamedTraffic> series(Sums& sums);
  std::vector<Entries::iterator> mostServed(Sums& sums);
  ByName copyOf(const Sums& sums) const;

  const std::size_t maxNames_;
  const std::size_t maxSeries_;
  mutable std::mutex mutex_;
  Sums byBucket_;
  Sums byJob_;
  Traffic total_;
};

}  // namespace shift::node
