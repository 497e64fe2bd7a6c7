#include "gms/database/DatabasePool.h"

#include <fcntl.h>
#include <sys/file.h>

#include "gms/database/MeasuredDatabase.h"
#include "gms/database/PostgresDatabase.h"
#include "gms/database/Schema.h"
#include "gms/database/SqliteDatabase.h"

namespace shift::gms {
namespace {

/** Calls that use the database at once; the rest wait. A PostgreSQL server has a hundred for all its clients.
 */
constexpr std::size_t kMaxConnections = 8;

bool isPostgres(const std::string& where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

/** A lock beside the file: the file's own are the database's. The kernel lets it go when the process ends. */
FileDescriptor lockFor(const std::string& path) {
  const std::string lockPath = path + ".lock";
  FileDescriptor lock(::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock.valid()) {
    throw DatabaseError("cannot open " + lockPath +
                        " beside the database: no such directory, or no permission");
  }
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    throw DatabaseError("another process serves the database " + path +
                        "; stop it, or give both a PostgreSQL database");
  }
  return lock;
}

}  // namespace

DatabasePool::DatabasePool(const std::string& where) {
  if (isPostgres(where)) {
    description_ = "PostgreSQL";
    connect_ = [where] { return std::make_unique<PostgresDatabase>(where); };
  } else {
    description_ = "SQLite file " + where;
    fileLock_ = lockFor(where);
    connect_ = [where] { return std::make_unique<SqliteDatabase>(where); };
  }
  migrate(*lease());
}

void DatabasePool::measure(const Clock& clock, CounterRegistry& counters) {
  connect_ = [connect = std::move(connect_), &clock, &counters] {
    return std::make_unique<MeasuredDatabase>(connect(), clock, counters);
  };
  std::lock_guard lock(mutex_);
  idle_.clear();  // these are not measured
}

DatabasePool::Lease DatabasePool::lease() {
  std::unique_ptr<Database> database;
  {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [this] { return leased_ < kMaxConnections; });
    ++leased_;
    if (!idle_.empty()) {
      database = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (database == nullptr || !database->isUsable()) {
    try {
      database = connect_();
    } catch (const DatabaseError&) {
      giveBack(nullptr);
      throw;
    }
  }
  return {*this, std::move(database)};
}

void DatabasePool::giveBack(std::unique_ptr<Database> database) {
  {
    std::lock_guard lock(mutex_);
    --leased_;
    if (database != nullptr && database->isUsable()) {
      idle_.push_back(std::move(database));
    }
  }
  returned_.notify_one();
}

}  // namespace shift::gms
