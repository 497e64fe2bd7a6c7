#pragma once

#include <map>
#include <memory>

#include "gms/database/Database.h"

struct pg_conn;
struct pg_result;

namespace shift::gms {

/**
 * A connection to a PostgreSQL database, given as postgresql://user@host/name. Write transactions of all
 * connections to it run one after the other, as SQLite's do: an advisory lock of the database sees to that.
 */
class PostgresDatabase final : public Database {
 public:
  explicit PostgresDatabase(const std::string& url);

  using Database::query;
  std::vector<Row> query(std::string_view sql, std::span<const Value> parameters) override;
  void repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) override;
  void script(const char* sql) override;
  void begin() override;
  void commit() override { script("COMMIT"); }
  void rollback() override { script("ROLLBACK"); }
  bool isUsable() const override;
  std::int64_t sizeOnDisk() override;

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  struct Clear {
    void operator()(pg_result* result) const;
  };
  using Answer = std::unique_ptr<pg_result, Clear>;
  class Parameters;

  const std::string& prepared(std::string_view sql);
  void sendAll(const std::string& name, std::span<const std::vector<Value>> parameterSets);
  /** Throws unless the answer is good. */
  Answer checked(pg_result* result) const;
  [[noreturn]] void fail() const;

  std::unique_ptr<pg_conn, Finish> connection_;
  bool inPipeline_ = false;  // still so after a call: it broke off, and the connection is of no more use
  std::map<std::string, std::string, std::less<>> statements_;  // our SQL to the statement's name
};

/** "select ?1, '?'" becomes "select $1, '?'": parameters in SQLite's form to PostgreSQL's. */
std::string withDollarParameters(std::string_view sql);

}  // namespace shift::gms
