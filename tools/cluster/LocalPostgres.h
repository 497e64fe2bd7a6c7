#pragma once

#include <memory>
#include <string>

#include "common/Clock.h"
#include "common/Result.h"
#include "tools/cluster/ChildProcess.h"

namespace shift::tools {

/**
 * A PostgreSQL server from Debian's package, for tests and benchmarks: in a directory of its own, on a socket
 * in it, without a network, and never as root. The destructor ends it, and so does the end of this process.
 */
class LocalPostgres {
 public:
  struct Config {
    std::string directory;  // exists, is empty and short: a socket's path has about a hundred bytes
    /** Without it what was committed survives the death of processes, but not that of the machine. */
    bool durable = true;
  };
  /** Returns when it serves. */
  static Result<std::unique_ptr<LocalPostgres>> start(const Config& config, const Clock& clock);
  ~LocalPostgres();

  /** Makes an empty database; returns its address. */
  Result<std::string> newDatabase();

  /** Ends it at once, without a checkpoint, and starts it again on the same data. */
  Status crashAndRestart();

 private:
  LocalPostgres(const Config& config, std::string binaries, const Clock& clock)
      : config_(config), binaries_(std::move(binaries)), clock_(clock) {}

  Status launch();
  Status runToEnd(const std::vector<std::string>& command, const std::string& name) const;
  void endAtOnce();

  const Config config_;
  const std::string binaries_;
  const Clock& clock_;
  std::unique_ptr<ChildProcess> process_;
  int databases_ = 0;
};

}  // namespace shift::tools
