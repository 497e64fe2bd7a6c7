// What the preload library costs, call by call, against the same calls without it: for what it has no
// business with, and for what nodes serve from memory.

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "bench/preload/Calls.h"
#include "bench/report/BenchReport.h"
#include "common/ByteSize.h"
#include "common/Clock.h"
#include "common/TemporaryDirectory.h"
#include "shift-node/AdminClient.h"
#include "tools/cluster/LocalCluster.h"

namespace shift::bench {
namespace {

constexpr int kTurns = 7;
constexpr int kStartsPerTurn = 100;
constexpr std::uint64_t kFileBytes = 64 * kMiB;

/** A node that holds a file in memory, and a copy of that file that is none of its business. */
class Rig {
 public:
  Rig(const std::string& directory, std::string program)
      : directory_(directory), program_(std::move(program)) {
    std::filesystem::create_directories(directory + "/store");
    const std::string bytes(kFileBytes, 'x');
    std::ofstream(stored()) << bytes;
    std::ofstream(elsewhere()) << bytes;
    tools::LocalClusterConfig config;
    config.binaries = std::filesystem::path(program_).parent_path().string();
    config.directory = directory + "/cluster";
    config.storeName = "bench";
    config.storeRoot = directory + "/store";
    config.nodes = 1;
    config.nodeSettings = {"cache.dram=256MiB"};
    auto cluster = tools::LocalCluster::start(config, clock_);
    if (!cluster) {
      throw std::runtime_error(cluster.error().message);
    }
    cluster_ = *std::move(cluster);
    std::ofstream(clientConfig()) << "read_ahead.window = 0\n[store]\nname = \"bench\"\nroot = \""
                                  << config.storeRoot << "\"\n[ring]\nfile = \"" << cluster_->ringFile()
                                  << "\"\n";
  }

  std::string stored() const { return directory_ + "/store/file"; }
  std::string elsewhere() const { return directory_ + "/file"; }

  std::string clientConfig() const { return directory_ + "/client.toml"; }

  /** The same call with the library and without it, in turn. */
  void compare(BenchReport& report, const std::string& row, const MeasuredCall& call,
               std::optional<Goal> goal = std::nullopt) const {
    compare(report, row, call, "without the library", call, goal);
  }

  /** A call with the library, in turn with another without it. */
  void compare(BenchReport& report, const std::string& row, const MeasuredCall& call,
               const std::string& against, const MeasuredCall& other,
               std::optional<Goal> goal = std::nullopt) const {
    std::vector<double> ours, theirs;
    for (int i = 0; i < kTurns; ++i) {
      ours.push_back(measure(true, call));
      theirs.push_back(measure(false, other));
    }
    report.compare(row, "us a call", ours, against, theirs, goal);
  }

  void compareStarts(BenchReport& report) const {
    std::vector<double> ours, theirs;
    for (int i = 0; i < kTurns; ++i) {
      ours.push_back(startsOf(true));
      theirs.push_back(startsOf(false));
    }
    report.compare("start and end of /bin/true", "us", ours, "without the library", theirs);
  }

  std::int64_t servedBytes() const {
    node::AdminClient admin(cluster_->adminAddress(0), std::chrono::seconds(30));
    const auto counters = admin.counters();
    for (const wire::NodeCounter& one : counters ? *counters : std::vector<wire::NodeCounter>()) {
      if (one.name == "node_served_bytes_total") {
        return one.value;
      }
    }
    return 0;
  }

 private:
  std::vector<std::string> environment(bool isPreloaded) const {
    if (!isPreloaded) {
      return {};
    }
    return {std::string("LD_PRELOAD=") + SHIFT_PRELOAD_LIBRARY, "SHIFT_CONFIG=" + clientConfig(),
            "SHIFT_PRELOAD_PREFIX=" + directory_ + "/store"};
  }

  double measure(bool isPreloaded, const MeasuredCall& call) const {
    std::vector<std::string> command{"/usr/bin/env"};
    for (const std::string& variable : environment(isPreloaded)) {
      command.push_back(variable);
    }
    for (const std::string& word : {program_, std::string("--measure"), call.name, call.file,
                                    std::to_string(call.size), std::string(call.isWallTime ? "wall" : "")}) {
      command.push_back(word);
    }
    const auto process = tools::ChildProcess::start(command, directory_ + "/said");
    const Result<std::string> line =
        process ? (*process)->readLine(clock_, std::chrono::minutes(5)) : process.error();
    if (!line) {
      std::string said;
      std::getline(std::ifstream(directory_ + "/said"), said);
      throw std::runtime_error(line.error().message + ": " + said);
    }
    return std::stod(*line);
  }

  /** Microseconds from spawning a program that does nothing to its end. */
  double startsOf(bool isPreloaded) const {
    std::vector<std::string> variables = environment(isPreloaded);
    std::vector<char*> pointers;
    for (std::string& variable : variables) {
      pointers.push_back(variable.data());
    }
    pointers.push_back(nullptr);
    char name[] = "/bin/true";
    char* const arguments[] = {name, nullptr};
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < kStartsPerTurn; ++i) {
      pid_t child = 0;
      int status = 0;
      if (::posix_spawn(&child, name, nullptr, nullptr, arguments, pointers.data()) != 0 ||
          ::waitpid(child, &status, 0) != child || status != 0) {
        throw std::runtime_error("/bin/true does not run");
      }
    }
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count() /
           kStartsPerTurn;
  }

  const std::string directory_;
  const std::string program_;
  const SystemClock clock_;
  std::unique_ptr<tools::LocalCluster> cluster_;
};

void run(BenchReport& report, const Rig& rig) {
  const std::string elsewhere = rig.elsewhere();
  const std::string stored = rig.stored();
  const Goal unnoticed = Goal::atMost(1.05);
  rig.compare(report, "read of a device, 1 B", {"read", "/dev/zero", 1}, unnoticed);
  rig.compare(report, "pread of another file, 4 KiB", {"pread", elsewhere, 4 * kKiB}, unnoticed);
  rig.compare(report, "open and close of another file", {"open", elsewhere}, unnoticed);
  rig.compare(report, "open and close below the prefix", {"open", stored}, unnoticed);
  rig.compare(report, "open, read 4 KiB, close of another file", {"open-read", elsewhere, 4 * kKiB});
  if (rig.servedBytes() > 0) {
    throw std::runtime_error("a node served what it should not have");
  }
  rig.compare(report, "open, read 4 KiB, close below the prefix", {"open-read", stored, 4 * kKiB, true});
  for (const std::size_t size : {4 * kKiB, 256 * kKiB, kMiB}) {
    const std::string row = "pread that a node serves, " + formatByteSize(static_cast<double>(size));
    rig.compare(report, row, {"pread", stored, size, true});
    rig.compare(report, row + ", processor time", {"pread", stored, size}, "the client library's",
                {"client", rig.clientConfig(), size});
  }
  if (rig.servedBytes() == 0) {
    throw std::runtime_error("no node served anything");
  }
  rig.compareStarts(report);
}

}  // namespace
}  // namespace shift::bench

int main(int argc, char** argv) {
  using namespace shift::bench;
  try {
    if (argc == 6 && std::strcmp(argv[1], "--measure") == 0) {
      std::printf("%.9g\n", microsecondsPer({.name = argv[2],
                                             .file = argv[3],
                                             .size = std::stoul(argv[4]),
                                             .isWallTime = std::strcmp(argv[5], "wall") == 0}));
      return 0;
    }
    BenchReport report(argc, argv);
    if (argc > 1) {
      std::fprintf(stderr, "usage: %s [--json]\n", argv[0]);
      return 2;
    }
    const shift::TemporaryDirectory directory("shift-bench-preload");
    const Rig rig(directory.path().string(), std::filesystem::read_symlink("/proc/self/exe").string());
    run(report, rig);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
  return 0;
}
