#include "bench/path/Daemon.h"

#include <sys/resource.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "net/Socket.h"

namespace shift::bench {
namespace {

using namespace std::chrono_literals;

HostPort freeAddress() {
  const auto socket = net::listenOn({"127.0.0.1", 0});
  const auto address = socket ? net::localAddress(*socket) : socket.error();
  if (!address) {
    throw std::runtime_error(address.error().message);
  }
  return *address;
}

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

double cpuSecondsOf(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
    throw std::runtime_error("the kernel does not tell the CPU time of process " + std::to_string(process));
  }
  double total = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  const std::string id = std::to_string(process);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; children >> child;) {
    total += cpuSecondsOf(child);
  }
  return total;
}

double ownCpuSeconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return secondsOf(used.ru_utime) + secondsOf(used.ru_stime);
}

Daemon::Daemon(const std::string& directory, const std::string& name, const Command& command)
    : address_(freeAddress()) {
  std::filesystem::create_directories(directory);
  const std::string log = directory + "/" + name + ".log";
  auto process = tools::ChildProcess::start(command(address_), log);
  if (!process) {
    throw std::runtime_error(process.error().message + "; ./run bench path installs what it needs");
  }
  process_ = *std::move(process);
  const SystemClock clock;
  const TimePoint patience = clock.now() + 30s;
  while (!net::connectTo(address_, clock, clock.now() + 1s)) {
    if (process_->wait(20ms) || clock.now() > patience) {
      std::ifstream words(log);
      throw std::runtime_error(name +
                               " does not serve: " + std::string(std::istreambuf_iterator<char>(words), {}));
    }
  }
}

Daemon::~Daemon() {
  // Its children are of its process group; one that a dead parent leaves behind would go on serving.
  process_->signal(SIGTERM);
  if (!process_->wait(10s)) {
    ::kill(-process_->pid(), SIGKILL);
  }
}

}  // namespace shift::bench
