#pragma once

#include <memory>
#include <string>

#include "tests/support/TemporaryDirectory.h"
#include "tools/cluster/ChildProcess.h"

namespace shift::test {

/**
 * A real PostgreSQL server of this test alone: in a temporary directory, on a socket in it, without a
 * network, and never as root. Ends with this object, or with the process.
 */
class PostgresServer {
 public:
  /** The one that all tests of this process share; started when first asked for. Throws std::runtime_error.
   */
  static PostgresServer& shared();

  PostgresServer();
  ~PostgresServer();

  /** Makes an empty database; returns its address. */
  std::string newDatabase();

  /** As kill -9 of the whole server; then started again on the same data. */
  void crashAndRestart();

 private:
  std::string urlOf(const std::string& database) const;
  void launch();

  const TemporaryDirectory directory_;
  std::string binaries_;
  std::unique_ptr<tools::ChildProcess> process_;
  int databases_ = 0;
};

}  // namespace shift::test
