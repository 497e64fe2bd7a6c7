#pragma once

#include <cstdint>
#include <string>

#include "common/Clock.h"

namespace shift {
class ConfigSchema;
}

namespace shift::store {

/**
 * A set of hard disks to model. The defaults are those of Baleen's disk-head time: 11.5 ms a seek, 143 MB/s.
 */
struct DiskConfig {
  std::uint32_t disks = 0;  // 0: no disks are modelled
  Duration seek = std::chrono::microseconds(11'500);
  std::uint64_t bytesPerSecond = 143'000'000;  // of each disk
  std::string queueFile;                       // shared with other processes; empty: queues of its own

  /** How long a disk's head is busy with one read: one seek, whatever was read before, and the transfer. */
  Duration serviceTime(std::uint64_t bytes) const;
};

/** The keys below [store]: disks, disk_seek, disk_bandwidth, disk_queues. */
void describe(DiskConfig& config, ConfigSchema& schema);

}  // namespace shift::store
