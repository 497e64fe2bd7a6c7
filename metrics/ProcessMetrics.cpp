#include "metrics/ProcessMetrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace shift::metrics {
namespace {

double inSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void addMemory(Exposition& exposition) {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t virtualPages = 0;
  std::uint64_t residentPages = 0;
  if (statm >> virtualPages >> residentPages) {
    const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    exposition.add("process_resident_memory_bytes", "Memory that the process has in RAM", Kind::kGauge, {},
                   static_cast<double>(residentPages) * page);
    exposition.add("process_virtual_memory_bytes", "Address space of the process", Kind::kGauge, {},
                   static_cast<double>(virtualPages) * page);
  }
}

void addDescriptors(Exposition& exposition) {
  std::error_code fault;
  const std::filesystem::directory_iterator open("/proc/self/fd", fault);
  if (!fault) {
    const auto count = std::distance(begin(open), end(open));
    exposition.add("process_open_fds", "Open file descriptors", Kind::kGauge, {}, static_cast<double>(count));
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    exposition.add("process_max_fds", "Most file descriptors that may be open", Kind::kGauge, {},
                   static_cast<double>(limit.rlim_cur));
  }
}

}  // namespace

void addProcess(Exposition& exposition, std::string_view program, WallTime started) {
  exposition.add("shift_build_info", "1; the labels say which program this is, of which version",
                 Kind::kGauge, {{"program", std::string(program)}, {"version", SHIFT_VERSION}}, 1);
  exposition.add("process_start_time_seconds", "When the process began, in seconds since 1970", Kind::kGauge,
                 {}, std::chrono::duration<double>(started.time_since_epoch()).count());
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    exposition.add("process_cpu_seconds_total", "CPU time of the process, in user and kernel mode",
                   Kind::kCounter, {}, inSeconds(usage.ru_utime) + inSeconds(usage.ru_stime));
  }
  addMemory(exposition);
  addDescriptors(exposition);
}

}  // namespace shift::metrics
