#pragma once

#include <cstdint>
#include <string>

namespace shift::bench {

struct FioJob {
  std::string file;
  std::string pattern;  // "randread" or "write"
  std::uint64_t fileBytes = 0;
  std::uint32_t blockBytes = 0;
  std::uint32_t depth = 1;
  double seconds = 1;  // 0: once through the file
};

struct FioResult {
  double bytesPerSecond = 0;
  double cpuSecondsPerGiB = 0;  // of the whole program, its start included
};

/** Runs fio, as installed, past the page cache and by io_uring. Throws if it cannot. */
FioResult runFio(const FioJob& job);

}  // namespace shift::bench
