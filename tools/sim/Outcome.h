#pragma once

#include <cstdint>

namespace shift::sim {

/** What became of a trace under one policy, at one node. */
struct Outcome {
  std::uint64_t requests = 0;
  std::uint64_t hits = 0;          // requests answered without any fetch
  std::uint64_t readBytes = 0;     // asked for
  std::uint64_t servedBytes = 0;   // returned by the node, from cache or after a fill
  std::uint64_t fetchedBytes = 0;  // read from the backing store by the node: cache fills
  std::uint64_t fetches = 0;
  std::uint64_t writtenBytes = 0;  // to flash, reinserted ones included
  std::uint64_t reinsertedBytes = 0;
  double seconds = 0;

  /** The top line: what the backing store was spared. */
  double absorbedBytes() const {
    return static_cast<double>(servedBytes) - static_cast<double>(fetchedBytes);
  }
  double absorbedShare() const {
    return readBytes == 0 ? 0 : absorbedBytes() / static_cast<double>(readBytes);
  }
  /** All that disks read: fills, and what clients read themselves after a refusal. */
  double diskBytes() const { return static_cast<double>(readBytes) - absorbedBytes(); }
  double hitRate() const {
    return requests == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(requests);
  }
};

}  // namespace shift::sim
