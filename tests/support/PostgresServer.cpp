#include "tests/support/PostgresServer.h"

#include <stdexcept>

#include "gms/database/PostgresDatabase.h"

namespace shift::test {
namespace {

template <typename T>
T valueOrThrow(Result<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return *std::move(result);
}

}  // namespace

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer()
    // Processes die in tests, machines do not.
    : server_(valueOrThrow(tools::LocalPostgres::start(
          {.directory = directory_.path().string(), .durable = false}, clock_))) {}

std::string PostgresServer::emptyDatabase() {
  if (database_.empty()) {
    database_ = valueOrThrow(server_->newDatabase());
  }
  gms::PostgresDatabase(database_).script("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  return database_;
}

void PostgresServer::crashAndRestart() {
  if (const Status restarted = server_->crashAndRestart(); !restarted) {
    throw std::runtime_error(restarted.error().message);
  }
}

}  // namespace shift::test
