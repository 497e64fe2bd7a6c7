#include "bench/engine/Fio.h"

#include <sys/resource.h>

#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "common/ByteSize.h"

namespace shift::bench {
namespace {

// Fields of fio's terse output, version 3, counted from 0.
constexpr std::size_t kReadKiB = 5;
constexpr std::size_t kReadBandwidth = 6;
constexpr std::size_t kWriteKiB = 46;
constexpr std::size_t kWriteBandwidth = 47;

double cpuSecondsOfChildren() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::string outputOf(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) {
    throw std::runtime_error("cannot run " + command);
  }
  std::string output;
  char part[4096];
  while (const std::size_t length = std::fread(part, 1, sizeof part, pipe)) {
    output.append(part, length);
  }
  if (::pclose(pipe) != 0) {
    throw std::runtime_error("failed: " + command);
  }
  return output;
}

}  // namespace

FioResult runFio(const FioJob& job) {
  std::ostringstream command;
  command << "fio --name=peer --filename='" << job.file << "' --rw=" << job.pattern
          << " --bs=" << job.blockBytes << " --size=" << job.fileBytes << " --iodepth=" << job.depth
          << (job.seconds > 0 ? " --time_based --runtime=" + std::to_string(job.seconds) : "")
          << " --ioengine=io_uring --direct=1 --norandommap --randrepeat=0"
          << " --output-format=terse --terse-version=3 2>/dev/null";
  const double cpuBefore = cpuSecondsOfChildren();
  std::istringstream output(outputOf(command.str()));
  const double cpu = cpuSecondsOfChildren() - cpuBefore;
  std::vector<std::string> fields;
  for (std::string field; std::getline(output, field, ';');) {
    fields.push_back(field);
  }
  if (fields.size() <= kWriteBandwidth) {
    throw std::runtime_error("fio said something unexpected");
  }
  const bool isRead = job.pattern == "randread";
  const double moved = std::stod(fields[isRead ? kReadKiB : kWriteKiB]) * kKiB;
  return {std::stod(fields[isRead ? kReadBandwidth : kWriteBandwidth]) * kKiB, cpu / (moved / kGiB)};
}

}  // namespace shift::bench
