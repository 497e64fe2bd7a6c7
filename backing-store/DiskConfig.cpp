#include "backing-store/DiskConfig.h"

#include <cmath>

#include "common/ByteSize.h"
#include "common/ConfigSchema.h"

namespace shift::store {

Duration DiskConfig::serviceTime(std::uint64_t bytes) const {
  const double transfer = 1e9 * static_cast<double>(bytes) / static_cast<double>(bytesPerSecond);
  return seek + Duration(std::llround(transfer));
}

void describe(DiskConfig& config, ConfigSchema& schema) {
  schema.integer("store.disks", config.disks, 0, 1'000'000,
                 "reads of the store take as long as on this many hard disks, for trials; 0 = as they come");
  schema.duration("store.disk_seek", config.seek, Duration(0), std::chrono::seconds(10),
                  "seek of a modelled disk, paid by every read");
  schema.byteSize("store.disk_bandwidth", config.bytesPerSecond, kKiB, kTiB,
                  "bytes a second that each modelled disk transfers");
  schema.text(
      "store.disk_queues", config.queueFile,
      "file, new since the machine's start, in which processes with the same modelled disks keep their "
      "queues; empty = these disks are this process's alone");
}

}  // namespace shift::store
