#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Counters.h"
#include "common/FileDescriptor.h"
#include "gms/database/Database.h"

namespace shift::gms {

/**
 * The connections of one process to its database: opened when needed, kept, replaced when they are lost. A
 * call borrows one for its own use and waits while all are taken. Thread-safe.
 */
class DatabasePool {
 public:
  /**
   * `where`: "postgresql://…", or the path of an SQLite file. Brings the schema up to date. Throws
   * DatabaseError: also when the SQLite file is another process's, for only one may serve it.
   */
  explicit DatabasePool(const std::string& where);

  class Lease {
   public:
    Lease(DatabasePool& pool, std::unique_ptr<Database> database)
        : pool_(pool), database_(std::move(database)) {}
    ~Lease() { pool_.giveBack(std::move(database_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Database& operator*() { return *database_; }
    Database* operator->() { return database_.get(); }

   private:
    DatabasePool& pool_;
    std::unique_ptr<Database> database_;
  };

  /** Throws DatabaseError if a new connection is needed and cannot be made. */
  Lease lease();

  /** Has all connections record how long the database takes. To be called before anybody else leases one;
   * `clock` and `counters` outlive the pool. */
  void measure(const Clock& clock, CounterRegistry& counters);

  /** What is connected to, without secrets: "SQLite file x", "PostgreSQL". */
  const std::string& description() const { return description_; }

 private:
  void giveBack(std::unique_ptr<Database> database);

  std::string description_;
  FileDescriptor fileLock_;  // of an SQLite file
  std::function<std::unique_ptr<Database>()> connect_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Database>> idle_;
  std::size_t leased_ = 0;
};

}  // namespace shift::gms
