#include "bench/preload/Calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <system_error>

#include "client-lib/Client.h"

namespace shift::bench {
namespace {

constexpr int kRounds = 40;
/** Bytes or calls, so that a round takes about a millisecond. */
constexpr std::size_t kBytesPerRound = 4 << 20;
constexpr int kCallsPerRound = 2000;

/** The same memory for all: where a buffer lies can cost more than the calls that fill it. */
alignas(4096) std::byte buffer[1 << 20];

void require(bool isGood, const std::string& what) {
  if (!isGood) {
    throw std::system_error(errno, std::generic_category(), what);
  }
}

int openFile(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  require(fd >= 0, file);
  return fd;
}

double microsecondsOf(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

std::function<void()> throughClient(const std::string& config, std::size_t size) {
  const auto loaded = client::loadClientConfig(config);
  auto created = loaded ? client::Client::create(*loaded) : loaded.error();
  if (!created) {
    throw std::runtime_error(created.error().message);
  }
  const std::shared_ptr<client::Client> client = *std::move(created);
  const client::Handle handle = *client->open("file");
  const std::size_t places = client->stat(handle)->size / size;
  return [client, handle, places, size, random = std::mt19937(1)]() mutable {
    const Result<std::size_t> got = client->pread(handle, {buffer, size}, random() % places * size);
    require(got && *got == size, "pread through the client");
  };
}

/** One call at a time, on what it needs to stay open. */
std::function<void()> callOf(const std::string& name, const std::string& file, std::size_t size) {
  if (name == "client") {
    return throughClient(file, size);
  }
  if (name == "open") {
    return [file] { require(::close(openFile(file)) == 0, "close"); };
  }
  if (name == "open-read") {
    return [file, size] {
      const int fd = openFile(file);
      require(::read(fd, buffer, size) == static_cast<ssize_t>(size), "read");
      ::close(fd);
    };
  }
  const int fd = openFile(file);
  if (name == "read") {
    return [fd, size] { require(::read(fd, buffer, size) == static_cast<ssize_t>(size), "read"); };
  }
  if (name == "pread") {
    struct stat status {};
    require(::fstat(fd, &status) == 0, "fstat");
    const auto places = static_cast<std::size_t>(status.st_size) / size;
    return [fd, places, size, random = std::mt19937(1)]() mutable {
      const auto offset = static_cast<off_t>(random() % places * size);
      require(::pread(fd, buffer, size, offset) == static_cast<ssize_t>(size), "pread");
    };
  }
  throw std::runtime_error("no such call: " + name);
}

}  // namespace

double microsecondsPer(const MeasuredCall& measured) {
  if (measured.size > sizeof buffer) {
    throw std::runtime_error("more than a mebibyte a call");
  }
  const std::function<void()> call = callOf(measured.name, measured.file, measured.size);
  const auto calls = std::clamp(static_cast<int>(kBytesPerRound / std::max<std::size_t>(measured.size, 1)), 4,
                                measured.isWallTime ? kCallsPerRound / 10 : kCallsPerRound);
  const clockid_t clock = measured.isWallTime ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
  double least = 1e12;
  call();
  for (int round = 0; round < kRounds; ++round) {
    const double began = microsecondsOf(clock);
    for (int i = 0; i < calls; ++i) {
      call();
    }
    least = std::min(least, (microsecondsOf(clock) - began) / calls);
  }
  return least;
}

}  // namespace shift::bench
