#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace shift::client {

/**
 * Bytes that were read past the cache because they were not eligible, by table: so that a table which would
 * have been worth caching is noticed, and eligibility is no one-way door. Bounded: past a number of names,
 * newcomers are counted together. Thread-safe.
 */
class PastCache {
 public:
  static constexpr const char* kOthers = "(others)";
  using ByTable = std::map<std::string, std::uint64_t>;

  /** `table`: its name, or what stands for it where none is known. `directory`: "store:relative/dir". */
  void add(const std::string& table, const std::string& directory, std::uint64_t bytes);

  /** Since the beginning. */
  ByTable byTable() const;

  /** Bytes by directory since the last call. */
  ByTable takeByDirectory();

 private:
  static constexpr std::size_t kMaxNames = 1000;
  static void addTo(ByTable& sums, const std::string& name, std::uint64_t bytes);

  mutable std::mutex mutex_;
  ByTable byTable_;
  ByTable byDirectory_;
};

}  // namespace shift::client
