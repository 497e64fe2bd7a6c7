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
};

/**
 * Who was served what: sums per bucket and per job since the start. Bounded: past `maxNames` of either,
 * newcomers are counted together under kOthers. Thread-safe.
 */
class TrafficLedger {
 public:
  static constexpr const char* kOthers = "(others)";
  using ByName = std::map<std::string, Traffic>;

  explicit TrafficLedger(std::size_t maxNames) : maxNames_(maxNames) {}

  void record(const GetRecord& get);
  ByName byBucket() const;
  ByName byJob() const;
  Traffic total() const;

 private:
  Traffic& sumOf(ByName& sums, const std::string& name) const;

  const std::size_t maxNames_;
  mutable std::mutex mutex_;
  ByName byBucket_;
  ByName byJob_;
  Traffic total_;
};

}  // namespace shift::node
