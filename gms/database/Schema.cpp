#include "gms/database/Schema.h"

#include <array>
#include <random>
#include <string>

#include "gms/database/Database.h"

namespace shift::gms {
namespace {

// A migration that has been released never changes; what comes later is a new one at the end.
//
// Every change gets a revision of its own from the one row of `store`, and is written with it: what changed
// since a revision is a range of an index. `removed` remembers what is not there any more. Heartbeats and
// progress stand apart from jobs: they change all the time, and are no news to followers.
constexpr std::array kMigrations{
    R"(
CREATE TABLE store (
  only_row        BIGINT PRIMARY KEY CHECK (only_row = 1),
  instance        TEXT NOT NULL,
  revision        BIGINT NOT NULL,
  ring_epoch      BIGINT NOT NULL,
  pruned_revision BIGINT NOT NULL
);

CREATE TABLE tables (
  name         TEXT PRIMARY KEY,
  store        TEXT NOT NULL,
  root         TEXT NOT NULL,
  owner        TEXT NOT NULL,
  onboarded    BIGINT NOT NULL,
  stored_bytes BIGINT NOT NULL,
  updated_ms   BIGINT NOT NULL,
  revision     BIGINT NOT NULL
);
CREATE INDEX tables_by_revision ON tables (revision, name);
CREATE TABLE table_demand (
  table_name TEXT NOT NULL,
  hour       BIGINT NOT NULL,
  past_cache BIGINT NOT NULL,
  bytes      BIGINT NOT NULL,
  PRIMARY KEY (table_name, hour, past_cache)
);

CREATE TABLE jobs (
  id         TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,
  job_class  BIGINT NOT NULL,
  store      TEXT NOT NULL,
  table_name TEXT NOT NULL,
  predicate  TEXT NOT NULL,
  partitions TEXT NOT NULL,
  features   TEXT NOT NULL,
  ranges     TEXT NOT NULL,
  manifest   TEXT NOT NULL,
  read_order BIGINT NOT NULL,
  seed       BIGINT NOT NULL,
  epochs     BIGINT NOT NULL,
  rate       BIGINT NOT NULL,
  ttl_ms     BIGINT NOT NULL,
  state      BIGINT NOT NULL,
  reason     TEXT NOT NULL,
  bytes      BIGINT NOT NULL,
  created_ms BIGINT NOT NULL,
  updated_ms BIGINT NOT NULL,
  started_ms BIGINT NOT NULL,
  ended_ms   BIGINT NOT NULL,
  revision   BIGINT NOT NULL
);
CREATE INDEX jobs_by_revision ON jobs (revision, id);
CREATE INDEX jobs_by_state ON jobs (state, id);
CREATE TABLE job_heartbeats (
  job          TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
  heartbeat_ms BIGINT NOT NULL
);
CREATE VIEW job_rows AS
  SELECT j.id, j.owner, j.job_class, j.store, j.table_name, j.predicate, j.partitions, j.features, j.ranges,
         j.manifest, j.read_order, j.seed, j.epochs, j.rate, j.ttl_ms, j.state, j.reason, j.created_ms,
         j.updated_ms, j.started_ms, j.ended_ms, j.revision,
         COALESCE(h.heartbeat_ms, j.created_ms) AS heartbeat_ms
  FROM jobs j LEFT JOIN job_heartbeats h ON h.job = j.id;
CREATE TABLE job_progress (
  job               TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  directory         TEXT NOT NULL,
  read_bytes        BIGINT NOT NULL,
  finished_revision BIGINT NOT NULL,
  updated_ms        BIGINT NOT NULL,
  PRIMARY KEY (job, directory)
);
CREATE INDEX job_progress_finished ON job_progress (finished_revision, job, directory) WHERE finished_revision > 0;

CREATE TABLE rules (
  id          TEXT PRIMARY KEY,
  rule_order  BIGINT NOT NULL,
  path_prefix TEXT NOT NULL,
  table_name  TEXT NOT NULL,
  tag         TEXT NOT NULL,
  job_class   BIGINT NOT NULL,
  action      BIGINT NOT NULL,
  percentage  DOUBLE PRECISION NOT NULL,
  note        TEXT NOT NULL,
  updated_ms  BIGINT NOT NULL,
  revision    BIGINT NOT NULL
);
CREATE INDEX rules_by_revision ON rules (revision, id);

CREATE TABLE members (
  id         TEXT PRIMARY KEY,
  address    TEXT NOT NULL,
  weight     DOUBLE PRECISION NOT NULL,
  state      BIGINT NOT NULL,
  epoch      BIGINT NOT NULL,
  updated_ms BIGINT NOT NULL,
  revision   BIGINT NOT NULL
);
CREATE INDEX members_by_revision ON members (revision, id);

CREATE TABLE parameters (
  entry_key  TEXT PRIMARY KEY,
  node       TEXT NOT NULL,
  name       TEXT NOT NULL,
  value      TEXT NOT NULL,
  updated_ms BIGINT NOT NULL,
  revision   BIGINT NOT NULL
);
CREATE INDEX parameters_by_revision ON parameters (revision, entry_key);

CREATE TABLE removed (
  kind      BIGINT NOT NULL,
  entry_key TEXT NOT NULL,
  at_ms     BIGINT NOT NULL,
  revision  BIGINT NOT NULL,
  PRIMARY KEY (kind, entry_key)
);
CREATE INDEX removed_by_revision ON removed (revision, kind, entry_key);

CREATE TABLE audit (
  revision    BIGINT NOT NULL,
  position    BIGINT NOT NULL,
  at_ms       BIGINT NOT NULL,
  actor       TEXT NOT NULL,
  action      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  entry_key   TEXT NOT NULL,
  before_json TEXT NOT NULL,
  after_json  TEXT NOT NULL,
  PRIMARY KEY (revision, position)
);
CREATE INDEX audit_by_key ON audit (kind, entry_key, revision);

CREATE TABLE requests (
  request_id  TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  at_ms       BIGINT NOT NULL
);
CREATE TABLE reporters (
  reporter TEXT PRIMARY KEY,
  sequence BIGINT NOT NULL,
  at_ms    BIGINT NOT NULL
);
)",
    R"(
ALTER TABLE members ADD COLUMN admin_address TEXT NOT NULL DEFAULT '';

CREATE TABLE shadow (
  reporter      TEXT PRIMARY KEY,
  reads         BIGINT NOT NULL,
  bytes         BIGINT NOT NULL,
  mismatches    BIGINT NOT NULL,
  last_mismatch TEXT NOT NULL,
  updated_ms    BIGINT NOT NULL
);
)",
};

constexpr const char* kVersionTable =
    "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)";

/** A name for this database that no other has, so that followers notice when it was replaced. */
std::string newInstance() {
  constexpr const char* kDigits = "0123456789abcdef";
  std::random_device random;
  std::string name;
  for (int i = 0; i < 32; ++i) {
    name += kDigits[random() % 16];
  }
  return name;
}

}  // namespace

void migrate(Database& database) {
  Transaction transaction(database);
  database.script(kVersionTable);
  const auto present = static_cast<std::size_t>(
      database.query("SELECT COALESCE(MAX(version), 0) FROM schema_version").at(0).number(0));
  if (present > kMigrations.size()) {
    throw DatabaseError("the database has schema " + std::to_string(present) + ", this release knows only " +
                        std::to_string(kMigrations.size()) + "; install a newer release");
  }
  for (std::size_t next = present; next < kMigrations.size(); ++next) {
    database.script(kMigrations[next]);
    database.query("INSERT INTO schema_version (version) VALUES (?1)", {static_cast<std::int64_t>(next + 1)});
  }
  if (present == 0) {
    database.query(
        "INSERT INTO store (only_row, instance, revision, ring_epoch, pruned_revision) VALUES (1, ?1, 0, 0, "
        "0)",
        {newInstance()});
  }
  transaction.commit();
}

}  // namespace shift::gms
