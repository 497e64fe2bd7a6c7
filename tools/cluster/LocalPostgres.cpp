#include "tools/cluster/LocalPostgres.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>

namespace shift::tools {
namespace {

using std::chrono::seconds;

constexpr const char* kInstalled = "/usr/lib/postgresql";
/** Who runs the server when this program runs as root, which the server refuses to be. */
constexpr const char* kUnprivileged = "nobody";
constexpr Duration kTimeout = seconds(120);

/** The directory of the newest release that is installed; empty if none is. */
std::string findBinaries() {
  std::string newest;
  std::error_code absent;
  for (const auto& release : std::filesystem::directory_iterator(kInstalled, absent)) {
    newest = std::max(newest, (release.path() / "bin").string());
  }
  return newest;
}

std::vector<std::string> unprivileged(std::vector<std::string> command) {
  if (::geteuid() == 0) {
    // The change of user would let the server outlive us, but for the last option.
    command.insert(command.begin(), {"/usr/bin/setpriv", "--reuid", kUnprivileged, "--regid", "nogroup",
                                     "--clear-groups", "--pdeathsig", "KILL"});
  }
  return command;
}

}  // namespace

Result<std::unique_ptr<LocalPostgres>> LocalPostgres::start(const Config& config, const Clock& clock) {
  const std::string binaries = findBinaries();
  if (binaries.empty()) {
    return Error{ErrorCode::kNotFound, "PostgreSQL is not installed; its Debian package is postgresql"};
  }
  if (::geteuid() == 0) {
    const passwd* user = ::getpwnam(kUnprivileged);
    if (user == nullptr || ::chown(config.directory.c_str(), user->pw_uid, user->pw_gid) != 0) {
      return Error::fromErrno(errno, "handing " + config.directory + " to an unprivileged user");
    }
  }
  std::unique_ptr<LocalPostgres> server(new LocalPostgres(config, binaries, clock));
  const Status made = server->runToEnd({binaries + "/initdb", "-D", config.directory + "/data", "-U", "shift",
                                        "-A", "trust", "-E", "UTF8", "--no-locale", "--no-instructions"},
                                       "initdb");
  if (!made) {
    return made.error();
  }
  if (const Status serving = server->launch(); !serving) {
    return serving.error();
  }
  return server;
}

LocalPostgres::~LocalPostgres() {
  endAtOnce();
}

Result<std::string> LocalPostgres::newDatabase() {
  const std::string name = "shift" + std::to_string(++databases_);
  const Status made =
      runToEnd({binaries_ + "/createdb", "-h", config_.directory, "-U", "shift", name}, "createdb");
  if (!made) {
    return made.error();
  }
  return "postgresql:///" + name + "?user=shift&host=" + config_.directory;
}

Status LocalPostgres::crashAndRestart() {
  endAtOnce();
  return launch();
}

Status LocalPostgres::launch() {
  // Its log goes to its standard output, where the line that it is ready can be waited for; "log" leaves out
  // the errors of statements, which tests provoke.
  const std::string command = "exec " + binaries_ + "/postgres -D " + config_.directory + "/data -k " +
                              config_.directory + " -c fsync=" + (config_.durable ? "on" : "off") +
                              " -c listen_addresses='' -c log_min_messages=log -c log_checkpoints=off "
                              "-c log_min_error_statement=panic -c logging_collector=off 2>&1";
  Result<std::unique_ptr<ChildProcess>> process =
      ChildProcess::start(unprivileged({"/bin/sh", "-c", command}), config_.directory + "/server.log");
  if (!process) {
    return process.error();
  }
  process_ = *std::move(process);
  for (;;) {
    const Result<std::string> line = process_->readLine(clock_, kTimeout);
    if (!line) {
      return Error{ErrorCode::kUnavailable, "PostgreSQL did not start: " + line.error().message};
    }
    if (line->find("ready to accept connections") != std::string::npos) {
      return {};
    }
  }
}

Status LocalPostgres::runToEnd(const std::vector<std::string>& command, const std::string& name) const {
  const Result<std::unique_ptr<ChildProcess>> process =
      ChildProcess::start(unprivileged(command), config_.directory + "/" + name + ".log");
  if (!process) {
    return process.error();
  }
  return (*process)->wait(kTimeout) == 0 ? Status()
                                         : Status(Error{ErrorCode::kUnavailable, name + " failed"});
}

void LocalPostgres::endAtOnce() {
  if (process_ != nullptr) {
    process_->signal(SIGQUIT);
    process_->wait(kTimeout);
    process_.reset();
  }
}

}  // namespace shift::tools
