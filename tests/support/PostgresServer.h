#pragma once

#include <memory>
#include <string>

#include "common/Clock.h"
#include "tests/support/TemporaryDirectory.h"
#include "tools/cluster/LocalPostgres.h"

namespace shift::test {

/** A real PostgreSQL server in a temporary directory; all tests of a process share it. */
class PostgresServer {
 public:
  /** Started when first asked for. Throws std::runtime_error if that fails. */
  static PostgresServer& shared();

  /**
   * The address of an empty database. One at a time: the next call empties it again, which is far quicker
   * than another one would be made.
   */
  std::string emptyDatabase();
  void crashAndRestart();

 private:
  PostgresServer();

  const SystemClock clock_;
  const TemporaryDirectory directory_;
  std::unique_ptr<tools::LocalPostgres> server_;
  std::string database_;
};

}  // namespace shift::test
