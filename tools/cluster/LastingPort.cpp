#include "tools/cluster/LastingPort.h"

#include <atomic>
#include <fstream>
#include <random>

#include "net/Socket.h"

namespace shift::tools {
namespace {

constexpr std::uint32_t kLowest = 16'384;
constexpr std::uint32_t kTries = 1'000;

/** The lowest port that a connection may get; 0 if the kernel does not say. */
std::uint32_t lowestOfConnections() {
  std::uint32_t lowest = 0;
  std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> lowest;
  return lowest;
}

}  // namespace

HostPort lastingPort() {
  static const std::uint32_t end = lowestOfConnections();
  // Processes that start clusters at the same time begin at different places.
  static std::atomic<std::uint32_t> next{std::random_device()()};
  for (std::uint32_t i = 0; end > kLowest && i < kTries; ++i) {
    const HostPort port{"127.0.0.1", static_cast<std::uint16_t>(kLowest + next++ % (end - kLowest))};
    if (net::listenOn(port)) {
      return port;
    }
  }
  return {"127.0.0.1", 0};
}

}  // namespace shift::tools
