#include "client-lib/Eligibility.h"

#include <algorithm>
#include <tuple>

#include "blocks/BlockId.h"

namespace shift::client {
namespace {

/** Whether the file is that directory or lies below it. An empty path after the colon is the whole store. */
bool isAtOrBelow(std::string_view file, std::string_view directory) {
  return file.starts_with(directory) &&
         (file.size() == directory.size() || directory.ends_with(':') || file[directory.size()] == '/');
}

/** The file's place between 0 and 100: the same on every client, so that a file is cached for all or for
 * none. */
double placeOf(const EligibilitySubject& subject) {
  const BlockId hash = blockIdOf(std::string(subject.store), std::string(subject.path), "eligibility", 1, 0);
  return static_cast<double>(hash.low >> 11) / static_cast<double>(1ULL << 53) * 100;
}

}  // namespace

bool disksSuffice(const TableInfo& table, const DiskFleet& disks) {
  if (disks.diskBytes == 0 || table.storedBytes == 0) {
    return false;
  }
  const double needed =
      static_cast<double>(table.storedBytes) * disks.copies / static_cast<double>(disks.diskBytes);
  return table.demandBytesPerSecond <= needed * disks.diskBytesPerSecond;
}

Eligibility::Eligibility(std::vector<EligibilityRule> rules, std::vector<TableInfo> tables,
                         const DiskFleet& disks)
    : rules_(std::move(rules)), tables_(std::move(tables)), disks_(disks) {
  std::sort(rules_.begin(), rules_.end(), [](const EligibilityRule& a, const EligibilityRule& b) {
    return std::tie(a.order, a.id) < std::tie(b.order, b.id);
  });
  std::sort(tables_.begin(), tables_.end(),
            [](const TableInfo& a, const TableInfo& b) { return a.root.size() > b.root.size(); });
}

EligibilityVerdict Eligibility::decide(const EligibilitySubject& subject) const {
  const std::string file = std::string(subject.store) + ':' + std::string(subject.path);
  const TableInfo* const table = tableOf(file);
  EligibilityVerdict verdict{.table = table == nullptr ? std::string() : table->name};
  const auto rule = std::find_if(rules_.begin(), rules_.end(), [&](const EligibilityRule& each) {
    return matches(each, file, subject, table);
  });
  if (rule != rules_.end()) {
    verdict.eligible = rule->cache;
    verdict.reason =
        "rule \"" + rule->id + "\" sends it " + (rule->cache ? "through" : "past") + " the cache";
  } else if (table != nullptr && !table->onboarded) {
    verdict.eligible = false;
    verdict.reason = "table \"" + table->name + "\" is not onboarded";
  } else if (table != nullptr && disksSuffice(*table, disks_)) {
    verdict.eligible = false;
    verdict.reason = "the disks of table \"" + table->name + "\" can serve all that is asked of it";
  } else {
    verdict.reason = "no rule says otherwise";
  }
  return verdict;
}

const TableInfo* Eligibility::tableOf(const std::string& file) const {
  const auto found = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const TableInfo& table) { return isAtOrBelow(file, table.root); });
  return found == tables_.end() ? nullptr : &*found;
}

bool Eligibility::matches(const EligibilityRule& rule, const std::string& file,
                          const EligibilitySubject& subject, const TableInfo* table) const {
  return (rule.pathPrefix.empty() || isAtOrBelow(file, rule.pathPrefix)) &&
         (rule.table.empty() || (table != nullptr && table->name == rule.table)) &&
         (rule.tag.empty() || rule.tag == subject.tag) &&
         (!rule.jobClass || *rule.jobClass == subject.jobClass) &&
         (rule.percentage >= 100 || placeOf(subject) < rule.percentage);
}

}  // namespace shift::client
