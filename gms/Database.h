#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace shift::gms {

/** The database refused or failed. Ends at the store's face, where it becomes a Result. */
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** A prepared statement with its bindings. Belongs to one database and one thread at a time. */
class Statement {
 public:
  /** Parameters are numbered from 1, columns from 0, as in SQLite. */
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::int64_t number);

  /** Moves to the next row; false when there is none. */
  bool step();
  /** Runs it to its end, past any rows. */
  void run();
  /** Makes it ready to be bound and run again. */
  void reset();

  std::string text(int column) const;
  std::int64_t number(int column) const;

 private:
  friend class Database;
  explicit Statement(sqlite3_stmt* statement);

  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };
  [[noreturn]] void fail() const;

  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
};

/**
 * One SQLite connection: write-ahead log, foreign keys on, full durability (an acknowledged write survives
 * the process and the machine). One thread at a time; the store above it holds the lock.
 */
class Database {
 public:
  /** Makes the file if it is absent. Throws DatabaseError. */
  static Database open(const std::string& path);

  Statement prepare(std::string_view sql);
  /** Runs fixed statements without parameters, several at once. */
  void execute(const char* sql);

 private:
  explicit Database(sqlite3* handle);

  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/** All or nothing: rolls back unless commit() was called. */
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace shift::gms
