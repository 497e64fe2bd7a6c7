#include "gms/store/MetadataStore.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include "gms/spec/TextRules.h"

namespace shift::gms {
namespace {

std::string fingerprintOf(const std::string& what) {
  const XXH128_hash_t hash = XXH3_128bits(what.data(), what.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

Result<std::unique_ptr<MetadataStore>> MetadataStore::open(const std::string& database, const Clock& clock) {
  try {
    return std::unique_ptr<MetadataStore>(new MetadataStore(database, clock));
  } catch (const DatabaseError& fault) {
    return Error{ErrorCode::kUnavailable, fault.what()};
  }
}

Error MetadataStore::unavailable(const DatabaseError& fault) {
  return {ErrorCode::kUnavailable, fmt::format("database: {}", fault.what())};
}

Status MetadataStore::check(const wire::Caller& caller) {
  Faults faults;
  checkText(faults, "actor", caller.actor);
  checkText(faults, "request id", caller.requestId);
  return faults.empty()
             ? Status()
             : Status(Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults, "\n"))});
}

std::string MetadataStore::actorOf(const wire::Caller& caller) {
  return caller.actor.empty() ? "unknown" : caller.actor;
}

Result<bool> MetadataStore::wasDone(Database& database, const Intent& intent) {
  if (intent.caller.requestId.empty()) {
    return false;
  }
  const std::vector<Row> rows =
      database.query("SELECT fingerprint FROM requests WHERE request_id = ?1", {intent.caller.requestId});
  if (!rows.empty() && rows.front().text(0) != fingerprintOf(intent.what)) {
    return Error{ErrorCode::kAlreadyExists,
                 fmt::format("request id \"{}\" was used for another request; each request needs its own",
                             intent.caller.requestId)};
  }
  return !rows.empty();
}

void MetadataStore::remember(Change& change, const Intent& intent) {
  if (!intent.caller.requestId.empty()) {
    change.run("INSERT INTO requests (request_id, fingerprint, at_ms) VALUES (?1, ?2, ?3)",
               {intent.caller.requestId, fingerprintOf(intent.what), change.nowMs()});
  }
}

}  // namespace shift::gms
