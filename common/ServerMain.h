#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/ConfigSchema.h"
#include "common/Result.h"

namespace shift {

/** A server that runs until it is destroyed. The destructor drains it: what was accepted is finished. */
class RunningServer {
 public:
  virtual ~RunningServer() = default;
  /** Where it listens, for people and scripts: "listen=127.0.0.1:7400 admin=127.0.0.1:7401". */
  virtual std::string addresses() const = 0;
};

struct ServerProgram {
  std::string name;     // "shift-node"
  std::string summary;  // one sentence for --help
  /** Bound to the variables that start() reads. */
  ConfigSchema& schema;
  /** Called once, with a valid configuration. */
  std::function<Result<std::unique_ptr<RunningServer>>()> start;
};

/**
 * main() of a server. Reads --config FILE and --set KEY=VALUE, prints the configuration (--print-config) or
 * runs the server until SIGTERM or SIGINT. Once it serves, it prints one line "ready ADDRESSES" to standard
 * output.
 *
 * Exit codes: 0 stopped as asked; 1 could not start (an occupied port …); 2 wrong usage or configuration.
 */
int serverMain(int argc, char** argv, const ServerProgram& program);

}  // namespace shift
