#include "gms/store/EntityStore.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "gms/json/EntityJson.h"
#include "gms/json/JsonFields.h"
#include "gms/spec/EntityRules.h"
#include "gms/store/Entities.h"

namespace shift::gms {

template <typename Traits>
Result<typename Traits::Entity> EntityStore<Traits>::find(Database& database, const std::string& key) {
  const std::vector<Row> rows = database.query(Traits::kGet, {std::string_view(key)});
  if (rows.empty()) {
    return Error{ErrorCode::kNotFound, fmt::format("there is no {} \"{}\"", Traits::kName, key)};
  }
  Entity entity = Traits::read(rows.front());
  Traits::complete(database, entity);
  return entity;
}

template <typename Traits>
Result<typename Traits::Entity> EntityStore<Traits>::put(const Entity& entity, const wire::Caller& caller) {
  if (const Faults faults = faultsOf(entity); !faults.empty()) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults, "\n"))};
  }
  const Entity wanted = Traits::normalised(entity);
  const std::string key = Traits::keyOf(wanted);
  const auto apply = [&](Change& change) -> Result<Entity> {
    const Result<Entity> known = find(change.database(), key);
    const std::vector<Value> body = Traits::valuesOf(wanted);
    if (known && Traits::valuesOf(*known) == body) {
      return known;
    }
    Traits::changing(change);
    std::vector<Value> row{std::string_view(key)};
    row.insert(row.end(), body.begin(), body.end());
    row.insert(row.end(), {change.nowMs(), change.revision()});
    change.repeat(Traits::kPut, {{row}});
    change.appeared(Traits::kKind, key);
    const Result<Entity> stored = find(change.database(), key);
    change.audit(Traits::kName, key, known ? toJson(*known) : nlohmann::json(), toJson(*stored));
    return stored;
  };
  const std::string what = fmt::format("put {} {}", Traits::kName, writeJson(toJson(wanted)));
  return store_.write({caller, what}, apply, [&](Database& database) { return find(database, key); });
}

template <typename Traits>
Status EntityStore<Traits>::remove(const std::string& key, const wire::Caller& caller) {
  const auto apply = [&](Change& change) -> Status {
    const Result<Entity> known = find(change.database(), key);
    if (!known) {
      return known.error();
    }
    if (const Status free = Traits::mayRemove(change.database(), key); !free) {
      return free;
    }
    Traits::changing(change);
    change.run(Traits::kRemove, {std::string_view(key)});
    change.removed(Traits::kKind, key);
    change.audit(Traits::kName, key, toJson(*known), nlohmann::json());
    return {};
  };
  const std::string what = fmt::format("delete {} {}", Traits::kName, key);
  return store_.write({caller, what}, apply, [](Database&) { return Status(); });
}

template <typename Traits>
Result<typename Traits::Entity> EntityStore<Traits>::get(const std::string& key) {
  return store_.read([&](Database& database) { return find(database, key); });
}

template <typename Traits>
Result<std::vector<typename Traits::Entity>> EntityStore<Traits>::list() {
  return store_.read([](Database& database) -> Result<std::vector<Entity>> {
    std::vector<Entity> entities;
    for (const Row& row : database.query(Traits::kList)) {
      entities.push_back(Traits::read(row));
      Traits::complete(database, entities.back());
    }
    return entities;
  });
}

template <typename Traits>
std::vector<typename Traits::Entity> EntityStore<Traits>::changedBetween(Database& database,
                                                                         std::int64_t from, std::int64_t to,
                                                                         std::string_view afterKey,
                                                                         std::int64_t limit) {
  std::vector<Entity> entities;
  for (const Row& row : database.query(Traits::kChanged, {from, afterKey, to, limit})) {
    entities.push_back(Traits::read(row));
  }
  return entities;
}

template class EntityStore<TableTraits>;
template class EntityStore<RuleTraits>;
template class EntityStore<MemberTraits>;
template class EntityStore<ParameterTraits>;

}  // namespace shift::gms
