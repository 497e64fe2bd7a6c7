#pragma once

namespace shift::gms {

class Database;

/**
 * Brings the database to the newest schema, one numbered migration after the other, all in one transaction,
 * so that of several processes that start at once one does it. Throws DatabaseError, also when the database
 * was written by a newer release.
 */
void migrate(Database& database);

}  // namespace shift::gms
