#include "bench/path/Load.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

#include "bench/path/Daemon.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

SteadyClock::time_point after(double seconds) {
  return SteadyClock::now() +
         std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Turn readAtRandom(const Contestant& contestant, std::span<const std::unique_ptr<Session>> sessions,
                  const Dataset& dataset, double seconds) {
  std::atomic<std::uint64_t> bytes = 0;
  std::exception_ptr fault;
  std::mutex faultMutex;
  const double cpuBefore = ownCpuSeconds() + contestant.serverCpuSeconds();
  const auto began = SteadyClock::now();
  const auto end = after(seconds);
  std::vector<std::thread> readers;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    readers.emplace_back([&, i] {
      std::mt19937_64 random(i);
      std::vector<std::byte> buffer(dataset.itemBytes());
      try {
        while (SteadyClock::now() < end) {
          sessions[i]->read(random() % dataset.items(), buffer);
          bytes += buffer.size();
        }
      } catch (...) {
        const std::lock_guard lock(faultMutex);
        fault = std::current_exception();
      }
    });
  }
  for (std::thread& reader : readers) {
    reader.join();
  }
  if (fault) {
    std::rethrow_exception(fault);
  }
  const double took = std::chrono::duration<double>(SteadyClock::now() - began).count();
  const double cpu = ownCpuSeconds() + contestant.serverCpuSeconds() - cpuBefore;
  const auto read = static_cast<double>(bytes);
  return {.mebibytesPerSecond = read / static_cast<double>(kMiB) / took,
          .cpuSecondsPerGiB = cpu / (read / static_cast<double>(kGiB))};
}

void recordLatencies(Session& session, const Dataset& dataset, double seconds, Histogram& latencies) {
  std::mt19937_64 random(latencies.count());
  std::vector<std::byte> buffer(dataset.itemBytes());
  const auto end = after(seconds);
  for (auto began = SteadyClock::now(); began < end;) {
    session.read(random() % dataset.items(), buffer);
    const auto now = SteadyClock::now();
    latencies.record(static_cast<std::uint64_t>(std::chrono::nanoseconds(now - began).count()));
    began = now;
  }
}

void checkEveryByte(const std::string& name, Session& session, const Dataset& dataset) {
  std::vector<std::byte> buffer(dataset.itemBytes());
  for (std::size_t item = 0; item < dataset.items(); ++item) {
    std::fill(buffer.begin(), buffer.end(), std::byte{0});
    session.read(item, buffer);
    if (std::memcmp(buffer.data(), dataset.item(item).data(), buffer.size()) != 0) {
      throw std::runtime_error(name + " answers with other bytes than it was given, item " +
                               std::to_string(item));
    }
  }
}

void interleave(int rounds, std::size_t count, const std::function<void(std::size_t)>& turn) {
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      turn((static_cast<std::size_t>(round) + i) % count);
    }
  }
}

}  // namespace shift::bench
