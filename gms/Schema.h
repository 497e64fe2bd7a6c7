#pragma once

namespace shift::gms {

class Database;

/**
 * Brings the database to the newest schema, one numbered migration after the other, each in a transaction of
 * its own. Throws DatabaseError, also when the database was written by a newer release.
 */
void migrate(Database& database);

}  // namespace shift::gms
