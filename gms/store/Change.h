#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "gms/database/Database.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/** Demand is kept by the hour. */
constexpr std::int64_t kMsPerHour = 3'600'000;

/**
 * One write transaction on its way: the database to read and write, the revision that what it writes gets,
 * and its part of the audit log. Made by MetadataStore::write(), which commits it if anything was written.
 */
class Change {
 public:
  Change(Database& database, std::string actor, std::int64_t nowMs)
      : database_(database), actor_(std::move(actor)), nowMs_(nowMs) {}

  /** For reading what the transaction sees. */
  Database& database() { return database_; }
  /** For writing. */
  void run(std::string_view sql, std::initializer_list<Value> parameters);
  void repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets);
  bool wroteAnything() const { return wrote_; }

  /** This transaction's own, one above all before. Only what followers must hear of takes one. */
  std::int64_t revision();
  std::int64_t nowMs() const { return nowMs_; }

  /** There is an entry of this kind now: it is not among what was removed. */
  void appeared(std::int32_t kind, std::string_view key);
  void removed(std::int32_t kind, std::string_view key);

  /**
   * Enters who changed what. `before` is null for something new, `after` for something deleted; of a change
   * only the fields that differ are kept.
   */
  void audit(std::string_view kind, std::string_view key, const nlohmann::json& before,
             const nlohmann::json& after);

 private:
  Database& database_;
  const std::string actor_;
  const std::int64_t nowMs_;
  bool wrote_ = false;
  std::optional<std::int64_t> revision_;
  std::int64_t auditPosition_ = 0;
};

}  // namespace shift::gms
