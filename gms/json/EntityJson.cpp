#include "gms/json/EntityJson.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gms/json/JobJson.h"
#include "gms/json/JsonFields.h"

namespace shift::gms {
namespace {

using nlohmann::json;

constexpr NamedChoice kActions[] = {{"cache", wire::RuleAction::CACHE}, {"bypass", wire::RuleAction::BYPASS}};
constexpr NamedChoice kMemberStates[] = {{"active", wire::MemberState::ACTIVE},
                                         {"down", wire::MemberState::DOWN},
                                         {"draining", wire::MemberState::DRAINING}};

/** Text from our own database; what is not JSON is shown as it is. */
json embedded(const std::string& text) {
  json value = json::parse(text, nullptr, false);
  return value.is_discarded() ? json(text) : value;
}

}  // namespace

std::span<const NamedChoice> memberStates() {
  return kMemberStates;
}

json toJson(const wire::Table& table) {
  json out = {{"name", table.name},        {"store", table.store},         {"root", table.root},
              {"owner", table.owner},      {"onboarded", table.onboarded}, {"updated_ms", table.updatedMs},
              {"revision", table.revision}};
  if (table.__isset.storedBytes) {
    out["stored_bytes"] = table.storedBytes;
  }
  if (table.__isset.demand) {
    out["demand"] = {{"through_cache_bytes", table.demand.throughCacheBytes},
                     {"past_cache_bytes", table.demand.pastCacheBytes}};
  }
  return out;
}

json toJson(const wire::EligibilityRule& rule) {
  json out = {{"id", rule.id},
              {"order", rule.order},
              {"action", nameOf(kActions, rule.action)},
              {"percentage", rule.percentage},
              {"updated_ms", rule.updatedMs},
              {"revision", rule.revision}};
  if (rule.__isset.pathPrefix) {
    out["path_prefix"] = rule.pathPrefix;
  }
  if (rule.__isset.table) {
    out["table"] = rule.table;
  }
  if (rule.__isset.tag) {
    out["tag"] = rule.tag;
  }
  if (rule.__isset.jobClass) {
    out["class"] = nameOf(jobClasses(), rule.jobClass);
  }
  if (rule.__isset.comment) {
    out["comment"] = rule.comment;
  }
  return out;
}

json toJson(const wire::RingMember& member) {
  json out = {{"id", member.id},
              {"address", member.address},
              {"weight", member.weight},
              {"state", nameOf(kMemberStates, member.state)},
              {"epoch", member.epoch},
              {"updated_ms", member.updatedMs},
              {"revision", member.revision}};
  if (member.__isset.adminAddress) {
    out["admin_address"] = member.adminAddress;
  }
  return out;
}

json toJson(const wire::Parameter& parameter) {
  return {{"node", parameter.node},
          {"name", parameter.name},
          {"value", parameter.value},
          {"updated_ms", parameter.updatedMs},
          {"revision", parameter.revision}};
}

json toJson(const wire::AuditEntry& entry) {
  return {{"revision", entry.revision},
          {"at_ms", entry.atMs},
          {"actor", entry.actor},
          {"action", entry.action},
          {"kind", entry.kind},
          {"key", entry.key},
          {"before", embedded(entry.before)},
          {"after", embedded(entry.after)}};
}

wire::Table tableFromJson(const json& object, Faults& faults) {
  JsonFields fields(object, "", faults);
  wire::Table table;
  table.__set_name(fields.text("name").value_or(""));
  table.__set_store(fields.text("store").value_or(""));
  table.__set_root(fields.text("root").value_or(""));
  table.__set_owner(fields.text("owner").value_or(""));
  table.__set_onboarded(fields.flag("onboarded").value_or(false));
  fields.ignore({"stored_bytes", "demand", "updated_ms", "revision"});
  fields.refuseOthers();
  return table;
}

wire::EligibilityRule ruleFromJson(const json& object, Faults& faults) {
  JsonFields fields(object, "", faults);
  wire::EligibilityRule rule;
  rule.__set_id(fields.text("id").value_or(""));
  const std::int64_t order = fields.whole("order").value_or(0);
  if (order != static_cast<std::int32_t>(order)) {
    faults.push_back(fmt::format("order is {}; that is out of range", order));
  }
  rule.__set_order(static_cast<std::int32_t>(order));
  fields.require("action");
  rule.__set_action(fields.choice("action", kActions).value_or(wire::RuleAction::CACHE));
  rule.__set_percentage(fields.number("percentage").value_or(100));
  if (const auto prefix = fields.text("path_prefix")) {
    rule.__set_pathPrefix(*prefix);
  }
  if (const auto table = fields.text("table")) {
    rule.__set_table(*table);
  }
  if (const auto tag = fields.text("tag")) {
    rule.__set_tag(*tag);
  }
  if (const auto jobClass = fields.choice("class", jobClasses())) {
    rule.__set_jobClass(*jobClass);
  }
  if (const auto comment = fields.text("comment")) {
    rule.__set_comment(*comment);
  }
  fields.ignore({"updated_ms", "revision"});
  fields.refuseOthers();
  return rule;
}

wire::RingMember memberFromJson(const json& object, Faults& faults) {
  JsonFields fields(object, "", faults);
  wire::RingMember member;
  member.__set_id(fields.text("id").value_or(""));
  member.__set_address(fields.text("address").value_or(""));
  member.__set_weight(fields.number("weight").value_or(1));
  member.__set_state(fields.choice("state", kMemberStates).value_or(wire::MemberState::ACTIVE));
  if (const auto admin = fields.text("admin_address")) {
    member.__set_adminAddress(*admin);
  }
  fields.ignore({"epoch", "updated_ms", "revision"});
  fields.refuseOthers();
  return member;
}

wire::Parameter parameterFromJson(const json& object, Faults& faults) {
  JsonFields fields(object, "", faults);
  wire::Parameter parameter;
  parameter.__set_node(fields.text("node").value_or(""));
  parameter.__set_name(fields.text("name").value_or(""));
  parameter.__set_value(fields.text("value").value_or(""));
  fields.ignore({"updated_ms", "revision"});
  fields.refuseOthers();
  return parameter;
}

}  // namespace shift::gms
