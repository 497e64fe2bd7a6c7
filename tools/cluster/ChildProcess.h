#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/FileDescriptor.h"
#include "common/Result.h"

namespace shift::tools {

/**
 * A program running as a child of this one. Its standard output is read here, line by line; its standard
 * error goes to a file. It is in a process group of its own, so Ctrl-C in the terminal reaches only the
 * parent, and it is killed by the kernel should the parent die. The destructor kills it if it still runs.
 */
class ChildProcess {
 public:
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& command,
                                                     const std::string& errorFile);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /** The next line of its output; an error when it ends its output, or the time is up, before there is one.
   */
  Result<std::string> readLine(const Clock& clock, Duration timeout);

  void signal(int number);

  /** The exit code (128 + signal, if one ended it); nothing if it still runs when the time is up. */
  std::optional<int> wait(Duration timeout);

  pid_t pid() const { return pid_; }

 private:
  ChildProcess(pid_t pid, FileDescriptor handle, FileDescriptor output);

  const pid_t pid_;
  const FileDescriptor handle_;  // a pidfd: becomes readable when the process ends
  const FileDescriptor output_;
  std::string received_;
  std::optional<int> exitCode_;
};

}  // namespace shift::tools
