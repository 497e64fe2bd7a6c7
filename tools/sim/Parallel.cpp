#include "tools/sim/Parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace shift::sim {

namespace {

constexpr Duration kShowEvery = std::chrono::milliseconds(200);

std::string clockTime(double seconds) {
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

void runParallel(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        std::lock_guard lock(mutex);
        failure = failure ? failure : std::current_exception();
      }
    }
  };
  std::vector<std::jthread> threads;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(cores, count); ++i) {
    threads.emplace_back(work);
  }
  work();
  threads.clear();  // waits for them
  if (failure) {
    std::rethrow_exception(failure);
  }
}

Progress::Progress(double totalWork)
    : totalWork_(totalWork), began_(clock_.now()), line_(tools::ProgressLine::Elsewhere::kSilent) {}

void Progress::advance(double work) {
  std::lock_guard lock(mutex_);
  done_ += work;
  const TimePoint now = clock_.now();
  if (now - shown_ < kShowEvery) {
    return;
  }
  shown_ = now;
  const double share = std::min(1.0, done_ / totalWork_);
  const double seconds = std::chrono::duration<double>(now - began_).count();
  line_.show(share, fmt::format("{} gone, {} to go", clockTime(seconds),
                                clockTime(share > 0 ? seconds * (1 - share) / share : 0)));
}

Meter Progress::meter(const Trace& trace, double work) {
  const double perEvent = work / static_cast<double>(std::max<std::size_t>(1, trace.events.size()));
  return [this, perEvent](std::size_t events) { advance(static_cast<double>(events) * perEvent); };
}

}  // namespace shift::sim
