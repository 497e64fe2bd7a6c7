#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace shift::gms {

/** The database refused or failed. Ends at the store's face, where it becomes a Result. */
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** A parameter of a statement. Text is borrowed until the call returns. */
using Value = std::variant<std::int64_t, double, std::string_view>;

/** One row of an answer: every column as the text that the database writes for it. */
class Row {
 public:
  explicit Row(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /** Columns are numbered from 0. NULL is the empty text and the number 0. */
  const std::string& text(std::size_t column) const { return columns_.at(column); }
  std::int64_t number(std::size_t column) const;
  double real(std::size_t column) const;

 private:
  std::vector<std::string> columns_;
};

/**
 * One connection to a database: prepared statements and transactions, and nothing that differs between the
 * databases. Statements are written once, with parameters ?1, ?2 …; each is prepared when first used and
 * kept. Everything throws DatabaseError. One thread at a time.
 *
 * What a statement may use is what SQLite and PostgreSQL share: ON CONFLICT, RETURNING, row values, partial
 * indexes; TEXT, BIGINT and DOUBLE PRECISION columns.
 */
class Database {
 public:
  virtual ~Database() = default;

  virtual std::vector<Row> query(std::string_view sql, std::span<const Value> parameters) = 0;
  std::vector<Row> query(std::string_view sql, std::initializer_list<Value> parameters = {}) {
    return query(sql, std::span(parameters.begin(), parameters.size()));
  }

  /** The same statement for each set of parameters, without a round trip for each. Any rows are dropped. */
  virtual void repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) = 0;

  /** Fixed statements without parameters, several at once: for schemas. */
  virtual void script(const char* sql) = 0;

  /** Waits until this is the only write transaction on the database, of all processes. */
  virtual void begin() = 0;
  /** Durable when it returns. */
  virtual void commit() = 0;
  virtual void rollback() = 0;

  /** False once the connection is lost: then it is of no more use. */
  virtual bool isUsable() const = 0;

  /** Bytes that the database takes on its disk. */
  virtual std::int64_t sizeOnDisk() = 0;
};

/** All or nothing: rolls back unless commit() was called. */
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.begin(); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace shift::gms
