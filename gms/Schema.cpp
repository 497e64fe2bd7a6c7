#include "gms/Schema.h"

#include <array>
#include <string>

#include "gms/Database.h"

namespace shift::gms {
namespace {

// A migration that has been released never changes; what comes later is a new one at the end. Each ends by
// writing its own number, so that the number is part of its transaction.
constexpr std::array kMigrations{
    R"(
CREATE TABLE jobs (
  sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  owner       TEXT NOT NULL,
  store       TEXT NOT NULL,
  table_name  TEXT NOT NULL,
  read_order  INTEGER NOT NULL,
  epochs      INTEGER NOT NULL,
  state       INTEGER NOT NULL,
  created_ms  INTEGER NOT NULL,
  updated_ms  INTEGER NOT NULL
);
CREATE INDEX jobs_by_state ON jobs (state);
CREATE TABLE job_partitions (
  job       INTEGER NOT NULL REFERENCES jobs (sequence) ON DELETE CASCADE,
  position  INTEGER NOT NULL,
  directory TEXT NOT NULL,
  PRIMARY KEY (job, position)
) WITHOUT ROWID;
CREATE TABLE job_features (
  job       INTEGER NOT NULL REFERENCES jobs (sequence) ON DELETE CASCADE,
  position  INTEGER NOT NULL,
  feature   TEXT NOT NULL,
  PRIMARY KEY (job, position)
) WITHOUT ROWID;
PRAGMA user_version = 1;
)",
};

}  // namespace

void migrate(Database& database) {
  Statement version = database.prepare("PRAGMA user_version");
  version.step();
  const auto present = static_cast<std::size_t>(version.number(0));
  if (present > kMigrations.size()) {
    throw DatabaseError("the database has schema " + std::to_string(present) + ", this release knows only " +
                        std::to_string(kMigrations.size()) + "; install a newer release");
  }
  version.step();  // to its end: an open read would keep the migrations from committing
  for (std::size_t next = present; next < kMigrations.size(); ++next) {
    Transaction transaction(database);
    database.execute(kMigrations[next]);
    transaction.commit();
  }
}

}  // namespace shift::gms
