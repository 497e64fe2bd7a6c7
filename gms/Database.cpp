#include "gms/Database.h"

#include <sqlite3.h>

namespace shift::gms {
namespace {

constexpr int kBusyTimeoutMs = 5000;

}  // namespace

void Statement::Finalise::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(sqlite3_stmt* statement) : statement_(statement) {}

void Statement::fail() const {
  throw DatabaseError(sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
}

Statement& Statement::bind(int parameter, std::string_view text) {
  if (sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8) != SQLITE_OK) {
    fail();
  }
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
  if (sqlite3_bind_int64(statement_.get(), parameter, number) != SQLITE_OK) {
    fail();
  }
  return *this;
}

bool Statement::step() {
  const int outcome = sqlite3_step(statement_.get());
  if (outcome != SQLITE_ROW && outcome != SQLITE_DONE) {
    fail();
  }
  return outcome == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

Database::Database(sqlite3* handle) : handle_(handle) {}

Database Database::open(const std::string& path) {
  sqlite3* handle = nullptr;
  const int outcome =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(handle);
  if (outcome != SQLITE_OK) {
    throw DatabaseError("cannot open the database " + path + ": " + sqlite3_errmsg(handle));
  }
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  try {
    database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
  } catch (const DatabaseError& fault) {
    throw DatabaseError("cannot use " + path + " as a database: " + fault.what());
  }
  return database;
}

Statement Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK) {
    throw DatabaseError(sqlite3_errmsg(handle_.get()));
  }
  return Statement(statement);
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw DatabaseError(sqlite3_errmsg(handle_.get()));
  }
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) {
    try {
      database_.execute("ROLLBACK");
    } catch (const DatabaseError&) {
      // The transaction is over already, ended by the very fault that brought us here.
    }
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace shift::gms
