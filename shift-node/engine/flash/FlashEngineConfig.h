#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "blocks/Geometry.h"
#include "common/ByteSize.h"
#include "common/Clock.h"
#include "shift-node/engine/flash/FlashFile.h"

namespace shift::node {

/** In which order segments are given up when room is needed. */
enum class EvictionMode {
  kScore,  // the worst score first, then what was used longest ago
  kLru,    // what was used longest ago
  kFifo,   // what was inserted longest ago; the eviction hook may have it written again instead
};

enum class IoMethod {
  kAuto,     // io_uring, or threads where the kernel forbids it
  kUring,    // io_uring, or refuse to start
  kThreads,  // pread and pwrite on threads
};

struct FlashEngineConfig {
  std::vector<FlashFileConfig> files;  // 1 to 16; each of at least 16 segments, below 16 TiB
  std::uint64_t dramBytes = kGiB;      // memory for segments; from 4 segments to 16 TiB
  std::uint32_t segmentSize =
      kDefaultSegmentSize;  // the longest segment; 64 KiB to 4 MiB, a multiple of 4 KiB
  EvictionMode mode = EvictionMode::kScore;

  IoMethod io = IoMethod::kAuto;
  std::uint32_t queueDepth = 128;  // requests under way per file with io_uring; 1 to 4096
  std::uint32_t ioThreads = 16;    // per file, without io_uring; 1 to 256

  /** The smallest mean size of segments for which the durable index has room; 4 KiB to segmentSize, 0: half
   * of segmentSize. Smaller ones are held too, but not so many of them that the flash is full. */
  std::uint32_t meanSegmentBytes = 0;
  /** The share of the flash kept free, so that new segments find long runs; 0 to 0.5. */
  double spareShare = 0.01;
  /** Segments accepted but not yet written; beyond it, insert() fails rather than waits. */
  std::uint64_t writeBufferBytes = 64 * kMiB;

  Duration journalInterval =
      std::chrono::milliseconds(100);            // how much index a crash may lose; 1 ms to 1 min
  Duration ioTimeout = std::chrono::seconds(2);  // a request that takes longer has failed; 1 ms to 10 min
  std::uint32_t errorsUntilOut = 16;             // failures in a row until a file is out of use; at least 1

  /** Everything that is wrong with it; empty if it can be used. */
  std::vector<std::string> validate() const;
};

}  // namespace shift::node
