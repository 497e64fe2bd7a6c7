#include "tools/cluster/ChildProcess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "net/Socket.h"

namespace shift::tools {
namespace {

/** In the child, between fork and exec: only calls that are safe there. */
[[noreturn]] void become(char* const* arguments, int output, int error, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(127);  // the parent died before the line above took effect
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  ::execv(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::vector<std::string>& command,
                                                          const std::string& errorFile) {
  if (::access(command.front().c_str(), X_OK) != 0) {
    return Error::fromErrno(errno, "running " + command.front());
  }
  const FileDescriptor error(::open(errorFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!error.valid()) {
    return Error::fromErrno(errno, "opening " + errorFile);
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error::fromErrno(errno, "pipe");
  }
  FileDescriptor readEnd(ends[0]);
  const FileDescriptor writeEnd(ends[1]);
  std::vector<char*> arguments;
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);

  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return Error::fromErrno(errno, "fork");
  }
  if (pid == 0) {
    become(arguments.data(), writeEnd.get(), error.get(), parent);
  }
  FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, std::move(handle), std::move(readEnd)));
}

ChildProcess::ChildProcess(pid_t pid, FileDescriptor handle, FileDescriptor output)
    : pid_(pid), handle_(std::move(handle)), output_(std::move(output)) {}

ChildProcess::~ChildProcess() {
  if (!exitCode_) {
    signal(SIGCONT);
    signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

Result<std::string> ChildProcess::readLine(const Clock& clock, Duration timeout) {
  const TimePoint deadline = clock.now() + timeout;
  for (;;) {
    if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (!net::waitUntilReady(output_, true, clock, deadline)) {
      return Error{ErrorCode::kTimedOut, "no line of output in time"};
    }
    char buffer[512];
    const ssize_t got = ::read(output_.get(), buffer, sizeof buffer);
    if (got == 0) {
      return Error{ErrorCode::kUnavailable, "the process ended its output"};
    }
    if (got > 0) {
      received_.append(buffer, static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return Error::fromErrno(errno, "reading a process's output");
    }
  }
}

void ChildProcess::signal(int number) {
  if (!exitCode_) {
    ::kill(pid_, number);
  }
}

std::optional<int> ChildProcess::wait(Duration timeout) {
  if (exitCode_) {
    return exitCode_;
  }
  pollfd ended{handle_.get(), POLLIN, 0};
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count();
  if (::poll(&ended, 1, static_cast<int>(milliseconds)) <= 0) {
    return std::nullopt;
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  exitCode_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exitCode_;
}

}  // namespace shift::tools
