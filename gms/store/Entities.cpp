#include "gms/store/Entities.h"

#include <fmt/format.h>

#include "backing-store/StorePath.h"

namespace shift::gms {

const char* const TableTraits::kGet = "SELECT * FROM tables WHERE name = ?1";
const char* const TableTraits::kList = "SELECT * FROM tables ORDER BY name";
const char* const TableTraits::kChanged =
    "SELECT * FROM tables WHERE (revision, name) > (?1, ?2) AND revision <= ?3 ORDER BY revision, name LIMIT "
    "?4";
const char* const TableTraits::kPut =
    "INSERT INTO tables (name, store, root, owner, onboarded, stored_bytes, updated_ms, revision) "
    "VALUES (?1, ?2, ?3, ?4, ?5, -1, ?6, ?7) ON CONFLICT (name) DO UPDATE SET store = excluded.store, "
    "root = excluded.root, owner = excluded.owner, onboarded = excluded.onboarded, "
    "updated_ms = excluded.updated_ms, revision = excluded.revision";
const char* const TableTraits::kRemove = "DELETE FROM tables WHERE name = ?1";

wire::Table TableTraits::read(const Row& row) {
  wire::Table table;
  table.__set_name(row.text(0));
  table.__set_store(row.text(1));
  table.__set_root(row.text(2));
  table.__set_owner(row.text(3));
  table.__set_onboarded(row.number(4) != 0);
  if (row.number(5) >= 0) {
    table.__set_storedBytes(row.number(5));
  }
  table.__set_updatedMs(row.number(6));
  table.__set_revision(row.number(7));
  return table;
}

std::vector<Value> TableTraits::valuesOf(const wire::Table& table) {
  return {table.store, table.root, table.owner, std::int64_t{table.onboarded ? 1 : 0}};
}

wire::Table TableTraits::normalised(const wire::Table& table) {
  wire::Table normal = table;
  normal.root = *store::normalisePath(table.root);
  return normal;
}

void TableTraits::complete(Database& database, wire::Table& table) {
  wire::Demand demand;
  for (const Row& row :
       database.query("SELECT past_cache, CAST(SUM(bytes) AS BIGINT) FROM table_demand WHERE table_name = ?1 "
                      "GROUP BY past_cache",
                      {table.name})) {
    if (row.number(0) == 0) {
      demand.__set_throughCacheBytes(row.number(1));
    } else {
      demand.__set_pastCacheBytes(row.number(1));
    }
  }
  table.__set_demand(demand);
}

Status TableTraits::mayRemove(Database& database, const std::string& name) {
  const std::vector<Row> readers =
      database.query("SELECT id FROM jobs WHERE state IN (0, 1) AND table_name = ?1 LIMIT 1", {name});
  return readers.empty()
             ? Status()
             : Status(Error{ErrorCode::kAlreadyExists,
                            fmt::format("table \"{}\" is in use by job \"{}\"; end or delete its jobs first",
                                        name, readers.front().text(0))});
}

const char* const RuleTraits::kGet = "SELECT * FROM rules WHERE id = ?1";
const char* const RuleTraits::kList = "SELECT * FROM rules ORDER BY rule_order, id";
const char* const RuleTraits::kChanged =
    "SELECT * FROM rules WHERE (revision, id) > (?1, ?2) AND revision <= ?3 ORDER BY revision, id LIMIT ?4";
const char* const RuleTraits::kPut =
    "INSERT INTO rules (id, rule_order, path_prefix, table_name, tag, job_class, action, percentage, note, "
    "updated_ms, revision) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (id) DO UPDATE "
    "SET "
    "rule_order = excluded.rule_order, path_prefix = excluded.path_prefix, table_name = excluded.table_name, "
    "tag = excluded.tag, job_class = excluded.job_class, action = excluded.action, "
    "percentage = excluded.percentage, note = excluded.note, updated_ms = excluded.updated_ms, "
    "revision = excluded.revision";
const char* const RuleTraits::kRemove = "DELETE FROM rules WHERE id = ?1";

wire::EligibilityRule RuleTraits::read(const Row& row) {
  wire::EligibilityRule rule;
  rule.__set_id(row.text(0));
  rule.__set_order(static_cast<std::int32_t>(row.number(1)));
  if (!row.text(2).empty()) {
    rule.__set_pathPrefix(row.text(2));
  }
  if (!row.text(3).empty()) {
    rule.__set_table(row.text(3));
  }
  if (!row.text(4).empty()) {
    rule.__set_tag(row.text(4));
  }
  if (row.number(5) >= 0) {
    rule.__set_jobClass(static_cast<std::int32_t>(row.number(5)));
  }
  rule.__set_action(static_cast<std::int32_t>(row.number(6)));
  rule.__set_percentage(row.real(7));
  if (!row.text(8).empty()) {
    rule.__set_comment(row.text(8));
  }
  rule.__set_updatedMs(row.number(9));
  rule.__set_revision(row.number(10));
  return rule;
}

std::vector<Value> RuleTraits::valuesOf(const wire::EligibilityRule& rule) {
  return {std::int64_t{rule.order},
          rule.pathPrefix,
          rule.table,
          rule.tag,
          std::int64_t{rule.__isset.jobClass ? rule.jobClass : -1},
          std::int64_t{rule.action},
          rule.percentage,
          rule.comment};
}

const char* const MemberTraits::kGet = "SELECT * FROM members WHERE id = ?1";
const char* const MemberTraits::kList = "SELECT * FROM members ORDER BY id";
const char* const MemberTraits::kChanged =
    "SELECT * FROM members WHERE (revision, id) > (?1, ?2) AND revision <= ?3 ORDER BY revision, id LIMIT ?4";
const char* const MemberTraits::kPut =
    "INSERT INTO members (id, address, weight, state, admin_address, epoch, updated_ms, revision) "
    "VALUES (?1, ?2, ?3, ?4, ?5, (SELECT ring_epoch FROM store), ?6, ?7) ON CONFLICT (id) DO UPDATE SET "
    "address = excluded.address, weight = excluded.weight, state = excluded.state, "
    "admin_address = excluded.admin_address, epoch = excluded.epoch, updated_ms = excluded.updated_ms, "
    "revision = excluded.revision";
const char* const MemberTraits::kRemove = "DELETE FROM members WHERE id = ?1";

wire::RingMember MemberTraits::read(const Row& row) {
  wire::RingMember member;
  member.__set_id(row.text(0));
  member.__set_address(row.text(1));
  member.__set_weight(row.real(2));
  member.__set_state(static_cast<std::int32_t>(row.number(3)));
  member.__set_epoch(row.number(4));
  member.__set_updatedMs(row.number(5));
  member.__set_revision(row.number(6));
  if (!row.text(7).empty()) {
    member.__set_adminAddress(row.text(7));
  }
  return member;
}

std::vector<Value> MemberTraits::valuesOf(const wire::RingMember& member) {
  return {member.address, member.weight, std::int64_t{member.state}, member.adminAddress};
}

void MemberTraits::changing(Change& change) {
  change.run("UPDATE store SET ring_epoch = ring_epoch + 1", {});
}

const char* const ParameterTraits::kGet = "SELECT * FROM parameters WHERE entry_key = ?1";
const char* const ParameterTraits::kList = "SELECT * FROM parameters ORDER BY node, name";
const char* const ParameterTraits::kChanged =
    "SELECT * FROM parameters WHERE (revision, entry_key) > (?1, ?2) AND revision <= ?3 "
    "ORDER BY revision, entry_key LIMIT ?4";
const char* const ParameterTraits::kPut =
    "INSERT INTO parameters (entry_key, node, name, value, updated_ms, revision) VALUES (?1, ?2, ?3, ?4, ?5, "
    "?6) "
    "ON CONFLICT (entry_key) DO UPDATE SET value = excluded.value, updated_ms = excluded.updated_ms, "
    "revision = excluded.revision";
const char* const ParameterTraits::kRemove = "DELETE FROM parameters WHERE entry_key = ?1";

wire::Parameter ParameterTraits::read(const Row& row) {
  wire::Parameter parameter;
  parameter.__set_node(row.text(1));
  parameter.__set_name(row.text(2));
  parameter.__set_value(row.text(3));
  parameter.__set_updatedMs(row.number(4));
  parameter.__set_revision(row.number(5));
  return parameter;
}

std::vector<Value> ParameterTraits::valuesOf(const wire::Parameter& parameter) {
  return {parameter.node, parameter.name, parameter.value};
}

}  // namespace shift::gms
