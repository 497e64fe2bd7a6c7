#pragma once

#include <map>
#include <memory>

#include "gms/database/Database.h"

struct sqlite3;
struct sqlite3_stmt;

namespace shift::gms {

/**
 * A connection to an SQLite file: write-ahead log, foreign keys on, full durability (an acknowledged write
 * survives the process and the machine). Several connections of one process may be open at once.
 */
class SqliteDatabase final : public Database {
 public:
  /** Makes the file if it is absent. */
  explicit SqliteDatabase(const std::string& path);

  using Database::query;
  std::vector<Row> query(std::string_view sql, std::span<const Value> parameters) override;
  void repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) override;
  void script(const char* sql) override;
  void begin() override { script("BEGIN IMMEDIATE"); }
  void commit() override { script("COMMIT"); }
  void rollback() override { script("ROLLBACK"); }
  bool isUsable() const override { return true; }
  std::int64_t sizeOnDisk() override;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };
  class Use;

  sqlite3_stmt* prepared(std::string_view sql);
  [[noreturn]] void fail() const;

  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalise>, std::less<>> statements_;
};

}  // namespace shift::gms
