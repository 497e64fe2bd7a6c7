#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shift::client {

enum class JobClass { kMlTraining, kOther };

/** A table as far as eligibility goes: the files at or below a directory. */
struct TableInfo {
  std::string name;
  std::string root;  // "store:relative/dir"
  bool onboarded = true;
  std::uint64_t storedBytes = 0;
  double demandBytesPerSecond = 0;  // what jobs ask of it, through the cache and past it
};

/** Says whether reads go through the cache. What is empty matches everything. */
struct EligibilityRule {
  std::string id;
  int order = 0;
  std::string pathPrefix;  // "store:relative/dir": the files at or below it
  std::string table;
  std::string tag;
  std::optional<JobClass> jobClass;
  bool cache = true;        // or past the cache
  double percentage = 100;  // of the files, by a hash of their path: a table is moved over a part at a time
};

/** The disks that tables lie on, for the heuristic below. */
struct DiskFleet {
  std::uint64_t diskBytes = 0;  // 0: the heuristic is off
  double diskBytesPerSecond = 0;
  double copies = 1;  // how often each byte is stored
};

/**
 * The paper's baseline heuristic (section 5.3): whether the disks that a table needs just to be stored can
 * serve all that is asked of it, so that a cache would save nothing.
 */
bool disksSuffice(const TableInfo& table, const DiskFleet& disks);

/** A file about to be read, and on whose account. */
struct EligibilitySubject {
  std::string_view store;
  std::string_view path;
  std::string_view tag;
  JobClass jobClass = JobClass::kMlTraining;
};

struct EligibilityVerdict {
  bool eligible = true;
  std::string reason;  // in words, for people who ask why
  std::string table;   // that the file belongs to; empty: none is known
};

/**
 * What may go through the cache. The first rule that matches, by order and then id, decides; where none does,
 * a table that is not onboarded or whose disks suffice goes past the cache, and all else through it. An
 * immutable value.
 */
class Eligibility {
 public:
  Eligibility() = default;
  Eligibility(std::vector<EligibilityRule> rules, std::vector<TableInfo> tables, const DiskFleet& disks);

  EligibilityVerdict decide(const EligibilitySubject& subject) const;

 private:
  const TableInfo* tableOf(const std::string& file) const;
  bool matches(const EligibilityRule& rule, const std::string& file, const EligibilitySubject& subject,
               const TableInfo* table) const;

  std::vector<EligibilityRule> rules_;  // in the order in which they are tried
  std::vector<TableInfo> tables_;       // the longest root first
  DiskFleet disks_;
};

}  // namespace shift::client
