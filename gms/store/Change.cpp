#include "gms/store/Change.h"

#include <nlohmann/json.hpp>

#include "gms/json/JsonFields.h"

namespace shift::gms {
namespace {

using nlohmann::json;

/** Fields that say when something was written, not what. */
bool isBookkeeping(const std::string& field) {
  return field == "revision" || field == "updated_ms" || field == "heartbeat_ms";
}

/** Takes from both what is the same in both. */
void keepDifferences(json& before, json& after) {
  for (auto field = before.begin(); field != before.end();) {
    const auto other = after.find(field.key());
    if (isBookkeeping(field.key()) || (other != after.end() && *other == *field)) {
      if (other != after.end()) {
        after.erase(other);
      }
      field = before.erase(field);
      continue;
    }
    if (other != after.end() && field->is_object() && other->is_object()) {
      keepDifferences(*field, *other);
    }
    ++field;
  }
}

}  // namespace

void Change::run(std::string_view sql, std::initializer_list<Value> parameters) {
  wrote_ = true;
  database_.query(sql, parameters);
}

void Change::repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) {
  wrote_ = true;
  database_.repeat(sql, parameterSets);
}

std::int64_t Change::revision() {
  if (!revision_) {
    wrote_ = true;
    revision_ =
        database_.query("UPDATE store SET revision = revision + 1 RETURNING revision").at(0).number(0);
  }
  return *revision_;
}

void Change::appeared(std::int32_t kind, std::string_view key) {
  run("DELETE FROM removed WHERE kind = ?1 AND entry_key = ?2", {std::int64_t{kind}, key});
}

void Change::removed(std::int32_t kind, std::string_view key) {
  run("INSERT INTO removed (kind, entry_key, at_ms, revision) VALUES (?1, ?2, ?3, ?4) "
      "ON CONFLICT (kind, entry_key) DO UPDATE SET at_ms = excluded.at_ms, revision = excluded.revision",
      {std::int64_t{kind}, key, nowMs_, revision()});
}

void Change::audit(std::string_view kind, std::string_view key, const json& before, const json& after) {
  const char* action = before.is_null() ? "create" : after.is_null() ? "delete" : "change";
  json from = before;
  json to = after;
  if (!before.is_null() && !after.is_null()) {
    keepDifferences(from, to);
  }
  const std::string fromText = writeJson(from);
  const std::string toText = writeJson(to);
  run("INSERT INTO audit (revision, position, at_ms, actor, action, kind, entry_key, before_json, "
      "after_json) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      {revision(), auditPosition_++, nowMs_, std::string_view(actor_), std::string_view(action), kind, key,
       std::string_view(fromText), std::string_view(toText)});
}

}  // namespace shift::gms
