#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "blocks/Geometry.h"
#include "control-plane/JobSpec.h"
#include "control-plane/ReadRequest.h"
#include "tools/sim/Workload.h"

namespace shift::sim {

/** One get, at the node that owns the block. */
struct TraceEvent {
  double time = 0;
  std::uint32_t block = 0;  // index into Trace::blocks
  std::uint32_t job = 0;    // index into Trace::jobs
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

struct TraceJob {
  std::string name;
  double begins = 0;
  double ends = 0;
  bool announced = false;
  control::JobSpec spec;  // as announced, right or wrong
};

struct TracePartition {
  std::string directory;  // `store:dir`
  std::vector<control::ListedFile> files;
};

/** Everything that reaches one node, in order of time: the same for all policies. */
struct Trace {
  std::uint64_t blockSize = 0;
  std::uint32_t segmentSize = 0;
  std::uint32_t nodes = 1;
  std::uint64_t flashBytes = 0;  // this node's
  std::uint64_t dramBytes = 0;
  double scale = 1;
  double seconds = 0;
  double warmUpSeconds = 0;                  // at its beginning; played, but not counted
  std::vector<control::ReadRequest> blocks;  // that this node owns, as requests without job and range
  std::vector<TracePartition> partitions;
  std::vector<TraceJob> jobs;
  std::vector<TraceEvent> events;

  std::uint32_t segmentsPerBlock() const {
    return static_cast<std::uint32_t>((blockSize + segmentSize - 1) / segmentSize);
  }
};

/** How many bytes of the segment the read asks for. */
inline std::uint32_t bytesOfSegment(const TraceEvent& event, std::uint32_t segment,
                                    std::uint32_t segmentSize) {
  const std::uint64_t begin = std::uint64_t{segment} * segmentSize;
  const std::uint64_t end = std::min<std::uint64_t>(begin + segmentSize, event.offset + event.length);
  return static_cast<std::uint32_t>(end - std::max<std::uint64_t>(begin, event.offset));
}

/** Told now and then how many more events have been played. Empty: nobody wants to know. */
using Meter = std::function<void(std::size_t events)>;

/** Plays all events in order. */
template <typename Play>
void playEvents(const Trace& trace, const Meter& meter, Play play) {
  constexpr std::size_t kAtOnce = 1 << 14;
  std::span<const TraceEvent> left = trace.events;
  while (!left.empty()) {
    const std::span<const TraceEvent> part = left.first(std::min(kAtOnce, left.size()));
    for (const TraceEvent& event : part) {
      play(event);
    }
    left = left.subspan(part.size());
    if (meter) {
      meter(part.size());
    }
  }
}

/** Whether node 0 of so many is asked for the block. */
bool ownedByFirst(const BlockId& block, std::uint32_t nodes);

struct TraceOptions {
  double scale = 1.0 / 64;  // shrinks bytes, blocks and rates, never time
  std::uint64_t seed = 1;
  Skew skew;
  std::uint32_t segmentSize = kDefaultSegmentSize;
  bool shrinkBlocks = true;  // false: there are fewer of them instead
};

/**
 * Plays a workload, open loop: when a read happens does not depend on what the cache does. The generator's
 * own numbering of jobs and partitions shows nowhere but in the names that the workload gives.
 */
Trace generate(const Workload& workload, const TraceOptions& options);

}  // namespace shift::sim
