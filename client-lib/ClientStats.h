#pragma once

#include <cstdint>

namespace shift::client {

/** Where a client's bytes came from, since it was created. */
struct ClientStats {
  std::uint64_t preads = 0;
  std::uint64_t bytesFromNodes = 0;
  std::uint64_t bytesFromBackingStore = 0;
  std::uint64_t getsHit = 0;
  std::uint64_t getsRefused = 0;         // misses: the node will not fetch it
  std::uint64_t getsFailed = 0;          // no answer in time, a dead or confused node
  std::uint64_t getsSkipped = 0;         // not even tried: the node failed too often lately
  std::uint64_t checksumMismatches = 0;  // answers thrown away
};

}  // namespace shift::client
