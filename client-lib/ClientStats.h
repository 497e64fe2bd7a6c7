#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace shift::client {

/** Where a client's bytes came from, since it was created. */
struct ClientStats {
  std::uint64_t preads = 0;
  std::uint64_t bytesFromNodes = 0;
  std::uint64_t bytesFromBackingStore = 0;  // that no node gave
  std::uint64_t bytesPastCache = 0;         // not eligible: no node was asked
  std::uint64_t getsHit = 0;
  std::uint64_t getsRefused = 0;         // misses: the node will not fetch it
  std::uint64_t getsFailed = 0;          // no answer in time, a dead or confused node
  std::uint64_t getsSkipped = 0;         // not even tried: the node failed too often lately
  std::uint64_t getsHedged = 0;          // unusually slow, so the backing store was read instead
  std::uint64_t checksumMismatches = 0;  // answers thrown away
  std::uint64_t bytesReadAhead = 0;      // of those above: read before they were asked for
  std::uint64_t shadowReads = 0;       // answers that were compared with the backing store (shiftctl shadow)
  std::uint64_t shadowMismatches = 0;  // of these, others than the backing store has

  /** bytesPastCache by table, or by first directory where no table is known. */
  std::map<std::string, std::uint64_t> pastCacheByTable;
};

}  // namespace shift::client
