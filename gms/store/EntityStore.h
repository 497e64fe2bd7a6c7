#pragma once

#include <string>
#include <vector>

#include "gms/store/MetadataStore.h"

namespace shift::gms {

/**
 * What tables, rules, members and parameters have in common: they are put, replaced and deleted as a whole,
 * by key. `Traits` says what differs (see Entities.h). Thread-safe. Errors: kInvalidArgument (every fault,
 * one a line), kNotFound, kAlreadyExists (a conflict), kUnavailable.
 */
template <typename Traits>
class EntityStore {
 public:
  using Entity = typename Traits::Entity;

  explicit EntityStore(MetadataStore& store) : store_(store) {}

  /** Makes or replaces; the same again changes nothing. */
  Result<Entity> put(const Entity& entity, const wire::Caller& caller);
  Status remove(const std::string& key, const wire::Caller& caller);
  Result<Entity> get(const std::string& key);
  /** All, by key or in the kind's own order. */
  Result<std::vector<Entity>> list();

  /** Those with revisions in (from, to], after this key of the first revision, in the order of both. */
  static std::vector<Entity> changedBetween(Database& database, std::int64_t from, std::int64_t to,
                                            std::string_view afterKey, std::int64_t limit);

 private:
  static Result<Entity> find(Database& database, const std::string& key);

  MetadataStore& store_;
};

}  // namespace shift::gms
