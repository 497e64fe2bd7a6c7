// The read path against the wire, against what users would use instead, and against its own growth.

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "bench/path/Parts.h"
#include "common/TemporaryDirectory.h"

namespace shift::bench {
namespace {

struct Part {
  const char* name;
  void (*measure)(BenchReport& report, const PathOptions& options);
};
constexpr std::array kParts = {Part{"dram", measureDramHits}, Part{"latency", measureLatency},
                               Part{"flash", measureFlashHits}, Part{"connections", measureConnections},
                               Part{"segments", measureSegments}};

/** All contestants use the system's congestion control. One that paces, as bbr does, is meant for long
 * distances: on loopback it costs them all, and those that send in many pieces most. */
void sayIfTcpPaces() {
  std::string name;
  std::getline(std::ifstream("/proc/sys/net/ipv4/tcp_congestion_control"), name);
  if (name.starts_with("bbr")) {
    std::fprintf(
        stderr,
        "note: TCP congestion control is %s here, which paces; to compare as Debian's default has it:\n"
        "      sysctl -w net.ipv4.tcp_congestion_control=cubic\n",
        name.c_str());
  }
}

}  // namespace
}  // namespace shift::bench

int main(int argc, char** argv) {
  using namespace shift::bench;
  BenchReport report(argc, argv);
  PathOptions options;
  std::string only;
  std::string place = std::filesystem::temp_directory_path().string();
  std::vector<std::string> names;
  for (const Part& part : kParts) {
    names.emplace_back(part.name);
  }
  CLI::App app("The read path against the wire and against what users would use instead", "shift-bench-path");
  app.add_option("--dir", place, "where data and caches are made, and removed: the flash to measure")
      ->check(CLI::ExistingDirectory);
  app.add_option("--seconds", options.seconds, "length of one turn")->check(CLI::Range(0.1, 600.0));
  app.add_option("--rounds", options.rounds, "turns of each contestant")->check(CLI::Range(5, 1000));
  app.add_option("--only", only, "one part of it")->check(CLI::IsMember(names));
  CLI11_PARSE(app, argc, argv);
  sayIfTcpPaces();
  options.binaries = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  try {
    for (const Part& part : kParts) {
      if (only.empty() || only == part.name) {
        const shift::TemporaryDirectory directory("shift-bench-path", std::filesystem::absolute(place));
        options.directory = directory.path().string();
        part.measure(report, options);
      }
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
  return 0;
}
