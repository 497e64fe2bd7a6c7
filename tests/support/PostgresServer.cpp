#include "tests/support/PostgresServer.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "common/Clock.h"
#include "gms/database/PostgresDatabase.h"

namespace shift::test {
namespace {

using std::chrono::seconds;

constexpr const char* kInstalled = "/usr/lib/postgresql";
/** Who runs the server when the tests run as root, which it refuses to be. */
constexpr const char* kUnprivileged = "nobody";

/** The newest release that is installed. */
std::string findBinaries() {
  std::string newest;
  if (std::filesystem::is_directory(kInstalled)) {
    for (const auto& release : std::filesystem::directory_iterator(kInstalled)) {
      newest = std::max(newest, (release.path() / "bin").string());
    }
  }
  if (newest.empty()) {
    throw std::runtime_error("PostgreSQL is not installed; its Debian package is postgresql");
  }
  return newest;
}

std::vector<std::string> unprivileged(std::vector<std::string> command) {
  if (::geteuid() == 0) {
    // Without pdeathsig the change of user would let the server outlive the tests.
    command.insert(command.begin(), {"/usr/bin/setpriv", "--reuid", kUnprivileged, "--regid", "nogroup",
                                     "--clear-groups", "--pdeathsig", "KILL"});
  }
  return command;
}

std::unique_ptr<tools::ChildProcess> startProcess(const std::vector<std::string>& command,
                                                  const std::string& log) {
  Result<std::unique_ptr<tools::ChildProcess>> process = tools::ChildProcess::start(command, log);
  if (!process) {
    throw std::runtime_error(process.error().message);
  }
  return *std::move(process);
}

}  // namespace

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() : binaries_(findBinaries()) {
  if (::geteuid() == 0) {
    const passwd* user = ::getpwnam(kUnprivileged);
    if (user == nullptr || ::chown(directory_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
      throw std::runtime_error("cannot hand the database's directory to an unprivileged user");
    }
  }
  const auto made =
      startProcess(unprivileged({binaries_ + "/initdb", "-D", directory_ / "data", "-U", "shift", "-A",
                                 "trust", "-E", "UTF8", "--no-locale", "--no-instructions"}),
                   directory_ / "initdb.log");
  if (made->wait(seconds(120)) != 0) {
    throw std::runtime_error("initdb failed");
  }
  launch();
}

PostgresServer::~PostgresServer() {
  process_->signal(SIGQUIT);  // nobody will need what it has not written yet
  process_->wait(seconds(60));
}

void PostgresServer::launch() {
  // Processes die here, machines do not: fsync would only take time. Its log goes to its standard output,
  // where the line that it is ready can be waited for; "log" leaves out the errors of statements, which tests
  // provoke.
  const std::string server =
      binaries_ + "/postgres -D " + (directory_ / "data") + " -k " + directory_.path().string() +
      " -c listen_addresses='' -c fsync=off -c log_min_messages=log -c log_checkpoints=off "
      "-c log_min_error_statement=panic -c logging_collector=off 2>&1";
  process_ = startProcess(unprivileged({"/bin/sh", "-c", "exec " + server}), directory_ / "server.log");
  const SystemClock clock;
  for (;;) {
    const Result<std::string> line = process_->readLine(clock, seconds(120));
    if (!line) {
      throw std::runtime_error("PostgreSQL did not start: " + line.error().message);
    }
    if (line->find("ready to accept connections") != std::string::npos) {
      return;
    }
  }
}

std::string PostgresServer::newDatabase() {
  const std::string name = "test" + std::to_string(++databases_);
  gms::PostgresDatabase(urlOf("postgres")).script(("CREATE DATABASE " + name).c_str());
  return urlOf(name);
}

void PostgresServer::crashAndRestart() {
  process_->signal(SIGQUIT);  // ends at once, without a checkpoint: what was committed is in the log alone
  process_->wait(seconds(60));
  launch();
}

std::string PostgresServer::urlOf(const std::string& database) const {
  return "postgresql:///" + database + "?user=shift&host=" + directory_.path().string();
}

}  // namespace shift::test
