#pragma once

#include "gms/store/EntityStore.h"

namespace shift::gms {

// How each kind of entry lies in the database. The statements' ?1 is the key; a put's parameters stand in the
// order of valuesOf(), and behind them come updated_ms and revision.

struct TableTraits {
  using Entity = wire::Table;
  static constexpr const char* kName = "table";
  static constexpr std::int32_t kKind = wire::ChangeKind::TABLES;
  static const char* const kGet;
  static const char* const kList;
  static const char* const kChanged;
  static const char* const kPut;
  static const char* const kRemove;

  static Entity read(const Row& row);
  static std::string keyOf(const Entity& table) { return table.name; }
  static std::vector<Value> valuesOf(const Entity& table);
  static Entity normalised(const Entity& table);
  /** What is known of an entry besides its row. */
  static void complete(Database& database, Entity& table);
  static Status mayRemove(Database& database, const std::string& name);
  static void changing(Change&) {}
};

struct RuleTraits {
  using Entity = wire::EligibilityRule;
  static constexpr const char* kName = "rule";
  static constexpr std::int32_t kKind = wire::ChangeKind::RULES;
  static const char* const kGet;
  static const char* const kList;
  static const char* const kChanged;
  static const char* const kPut;
  static const char* const kRemove;

  static Entity read(const Row& row);
  static std::string keyOf(const Entity& rule) { return rule.id; }
  static std::vector<Value> valuesOf(const Entity& rule);
  static Entity normalised(const Entity& rule) { return rule; }
  static void complete(Database&, Entity&) {}
  static Status mayRemove(Database&, const std::string&) { return {}; }
  static void changing(Change&) {}
};

struct MemberTraits {
  using Entity = wire::RingMember;
  static constexpr const char* kName = "member";
  static constexpr std::int32_t kKind = wire::ChangeKind::MEMBERS;
  static const char* const kGet;
  static const char* const kList;
  static const char* const kChanged;
  static const char* const kPut;
  static const char* const kRemove;

  static Entity read(const Row& row);
  static std::string keyOf(const Entity& member) { return member.id; }
  static std::vector<Value> valuesOf(const Entity& member);
  static Entity normalised(const Entity& member) { return member; }
  static void complete(Database&, Entity&) {}
  static Status mayRemove(Database&, const std::string&) { return {}; }
  /** Each change of a member, its going too, is a new epoch of the ring. */
  static void changing(Change& change);
};

struct ParameterTraits {
  using Entity = wire::Parameter;
  static constexpr const char* kName = "parameter";
  static constexpr std::int32_t kKind = wire::ChangeKind::PARAMETERS;
  static const char* const kGet;
  static const char* const kList;
  static const char* const kChanged;
  static const char* const kPut;
  static const char* const kRemove;

  static Entity read(const Row& row);
  static std::string keyOf(const Entity& parameter) { return parameter.node + "/" + parameter.name; }
  static std::vector<Value> valuesOf(const Entity& parameter);
  static Entity normalised(const Entity& parameter) { return parameter; }
  static void complete(Database&, Entity&) {}
  static Status mayRemove(Database&, const std::string&) { return {}; }
  static void changing(Change&) {}
};

using TableStore = EntityStore<TableTraits>;
using RuleStore = EntityStore<RuleTraits>;
using MemberStore = EntityStore<MemberTraits>;
using ParameterStore = EntityStore<ParameterTraits>;

}  // namespace shift::gms
