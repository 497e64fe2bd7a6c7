#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "tools/cluster/ChildProcess.h"

namespace shift::bench {

/** Processor time so far of a process and its children that live. */
double cpuSecondsOf(pid_t process);
/** Of this process. */
double ownCpuSeconds();

/** A program of Debian's that listens on loopback. The destructor ends it and its children. */
class Daemon {
 public:
  using Command = std::function<std::vector<std::string>(const HostPort& listen)>;

  /** Starts it on a port that was free a moment ago and returns when it accepts connections. Its last words
   * go to a file in `directory`. Throws std::runtime_error if it does not come up. */
  Daemon(const std::string& directory, const std::string& name, const Command& command);
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  const HostPort& address() const { return address_; }
  double cpuSeconds() const { return cpuSecondsOf(process_->pid()); }

 private:
  HostPort address_;
  std::unique_ptr<tools::ChildProcess> process_;
};

}  // namespace shift::bench
