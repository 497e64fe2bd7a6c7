#include "client-lib/SnapshotEligibility.h"

namespace shift::client {
namespace {

constexpr double kSecondsPerDay = 86400;

EligibilityRule toRule(const wire::EligibilityRule& rule) {
  EligibilityRule made{.id = rule.id,
                       .order = rule.order,
                       .pathPrefix = rule.pathPrefix,
                       .table = rule.table,
                       .tag = rule.tag,
                       .cache = rule.action == wire::RuleAction::CACHE,
                       .percentage = rule.percentage};
  if (rule.__isset.jobClass) {
    made.jobClass = rule.jobClass == wire::JobClass::OTHER ? JobClass::kOther : JobClass::kMlTraining;
  }
  return made;
}

TableInfo toTable(const wire::Table& table) {
  const double bytesPerDay =
      static_cast<double>(table.demand.throughCacheBytes) + static_cast<double>(table.demand.pastCacheBytes);
  return {.name = table.name,
          .root = table.store + ':' + table.root,
          .onboarded = table.onboarded,
          .storedBytes = static_cast<std::uint64_t>(table.storedBytes),
          .demandBytesPerSecond = bytesPerDay / kSecondsPerDay};
}

}  // namespace

Eligibility eligibilityOf(const gms::Snapshot& snapshot, const DiskFleet& disks) {
  std::vector<EligibilityRule> rules;
  for (const auto& [id, rule] : snapshot.rules) {
    rules.push_back(toRule(*rule));
  }
  std::vector<TableInfo> tables;
  for (const auto& [name, table] : snapshot.tables) {
    tables.push_back(toTable(*table));
  }
  return Eligibility(std::move(rules), std::move(tables), disks);
}

}  // namespace shift::client
