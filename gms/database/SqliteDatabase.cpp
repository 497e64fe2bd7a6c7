#include "gms/database/SqliteDatabase.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace shift::gms {
namespace {

constexpr int kBusyTimeoutMs = 5000;

std::string textOf(sqlite3_stmt* statement, int column) {
  if (sqlite3_column_type(statement, column) == SQLITE_FLOAT) {
    // The library's own text has fifteen digits, which is not always the number.
    return fmt::format("{}", sqlite3_column_double(statement, column));
  }
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  const int size = sqlite3_column_bytes(statement, column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

}  // namespace

/** One run of a kept statement: bound, stepped, and ready for the next when this goes. */
class SqliteDatabase::Use {
 public:
  Use(SqliteDatabase& database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
  ~Use() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  void bind(std::span<const Value> parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const int place = static_cast<int>(i) + 1;
      const int outcome = std::visit([&](const auto& value) { return bindOne(place, value); }, parameters[i]);
      if (outcome != SQLITE_OK) {
        database_.fail();
      }
    }
  }

  bool step() {
    const int outcome = sqlite3_step(statement_);
    if (outcome != SQLITE_ROW && outcome != SQLITE_DONE) {
      database_.fail();
    }
    return outcome == SQLITE_ROW;
  }

 private:
  int bindOne(int place, std::int64_t number) { return sqlite3_bind_int64(statement_, place, number); }
  int bindOne(int place, double number) { return sqlite3_bind_double(statement_, place, number); }
  int bindOne(int place, std::string_view text) {
    // Not copied: the text outlives this run of the statement.
    return sqlite3_bind_text64(statement_, place, text.data() == nullptr ? "" : text.data(), text.size(),
                               SQLITE_STATIC, SQLITE_UTF8);
  }

  SqliteDatabase& database_;
  sqlite3_stmt* const statement_;
};

void SqliteDatabase::Close::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

void SqliteDatabase::Finalise::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqliteDatabase::SqliteDatabase(const std::string& path) {
  sqlite3* handle = nullptr;
  const int outcome =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  handle_.reset(handle);
  if (outcome != SQLITE_OK) {
    throw DatabaseError("cannot open the database " + path + ": " + sqlite3_errmsg(handle));
  }
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  try {
    script("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
  } catch (const DatabaseError& fault) {
    throw DatabaseError("cannot use " + path + " as a database: " + fault.what());
  }
}

void SqliteDatabase::fail() const {
  throw DatabaseError(sqlite3_errmsg(handle_.get()));
}

sqlite3_stmt* SqliteDatabase::prepared(std::string_view sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) {
    return known->second.get();
  }
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                         &statement, nullptr) != SQLITE_OK) {
    fail();
  }
  statements_.emplace(sql, statement);
  return statement;
}

std::vector<Row> SqliteDatabase::query(std::string_view sql, std::span<const Value> parameters) {
  sqlite3_stmt* statement = prepared(sql);
  Use use(*this, statement);
  use.bind(parameters);
  std::vector<Row> rows;
  while (use.step()) {
    std::vector<std::string> columns;
    const int count = sqlite3_column_count(statement);
    columns.reserve(static_cast<std::size_t>(count));
    for (int column = 0; column < count; ++column) {
      columns.push_back(textOf(statement, column));
    }
    rows.emplace_back(std::move(columns));
  }
  return rows;
}

void SqliteDatabase::repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) {
  sqlite3_stmt* statement = prepared(sql);
  for (const std::vector<Value>& parameters : parameterSets) {
    Use use(*this, statement);
    use.bind(parameters);
    while (use.step()) {
    }
  }
}

void SqliteDatabase::script(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail();
  }
}

std::int64_t SqliteDatabase::sizeOnDisk() {
  return query("PRAGMA page_count").at(0).number(0) * query("PRAGMA page_size").at(0).number(0);
}

}  // namespace shift::gms
