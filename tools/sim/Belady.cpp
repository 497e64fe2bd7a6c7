#include "tools/sim/Belady.h"

#include <queue>

#include "blocks/Geometry.h"

namespace shift::sim {

namespace {

constexpr std::uint32_t kNeverAgain = ~0U;

}  // namespace

Outcome runBelady(const Trace& trace, const Meter& meter) {
  const std::uint32_t perBlock = trace.segmentsPerBlock();
  const auto firstOf = [&](const TraceEvent& event) { return event.offset / trace.segmentSize; };
  const auto lastOf = [&](const TraceEvent& event) {
    return (event.offset + event.length - 1) / trace.segmentSize;
  };

  // Backwards: for each touch, the event that touches the same segment next.
  std::vector<std::uint32_t> upcoming(trace.blocks.size() * perBlock, kNeverAgain);
  std::vector<std::uint32_t> next;
  for (std::size_t i = trace.events.size(); i-- > 0;) {
    const TraceEvent& event = trace.events[i];
    for (std::uint32_t segment = lastOf(event) + 1; segment-- > firstOf(event);) {
      std::uint32_t& slot = upcoming[std::size_t{event.block} * perBlock + segment];
      next.push_back(slot);
      slot = static_cast<std::uint32_t>(i);
    }
  }

  // Forwards. An entry of the heap is out of date if the segment has been used or evicted since.
  struct Candidate {
    std::uint32_t nextUse;
    std::uint32_t id;
    bool operator<(const Candidate& other) const { return nextUse < other.nextUse; }
  };
  std::priority_queue<Candidate> heap;
  constexpr std::uint32_t kNotHeld = kNeverAgain - 1;
  std::vector<std::uint32_t> heldUntil(trace.blocks.size() * perBlock, kNotHeld);
  const std::uint64_t capacity = trace.flashBytes + trace.dramBytes;
  std::uint64_t used = 0;
  Outcome outcome;
  outcome.countFrom = trace.warmUpSeconds;
  outcome.seconds = trace.seconds - trace.warmUpSeconds;
  playEvents(trace, meter, [&](const TraceEvent& event) {
    Served served{.time = event.time, .length = event.length, .hit = true};
    for (std::uint32_t segment = firstOf(event); segment <= lastOf(event); ++segment) {
      const std::uint32_t id = event.block * perBlock + segment;
      const std::uint32_t bytes = segmentLength(trace.blockSize, segment, trace.segmentSize);
      const std::uint32_t asked = bytesOfSegment(event, segment, trace.segmentSize);
      const std::uint32_t until = next.back();
      next.pop_back();
      const bool held = heldUntil[id] != kNotHeld;
      if (held) {
        used -= bytes;
        heldUntil[id] = kNotHeld;
      }
      const std::uint32_t fetchedForNothing = held ? 0 : bytes - asked;
      bool keep = until != kNeverAgain &&
                  bytesOfSegment(trace.events[until], segment, trace.segmentSize) > fetchedForNothing;
      while (keep && used + bytes > capacity) {
        const Candidate worst = heap.top();
        if (heldUntil[worst.id] != worst.nextUse) {
          heap.pop();
        } else if (worst.nextUse <= until) {
          keep = false;
        } else {
          heap.pop();
          heldUntil[worst.id] = kNotHeld;
          used -= segmentLength(trace.blockSize, worst.id % perBlock, trace.segmentSize);
        }
      }
      if (keep) {
        heldUntil[id] = until;
        used += bytes;
        heap.push({until, id});
      }
      if (held) {
        served.servedBytes += asked;
      } else {
        served.hit = false;
        if (keep) {
          served.servedBytes += asked;
          served.filledBytes += asked;
          served.fetchedBytes += bytes;
          outcome.addWrite(event.time, bytes);
        }
      }
    }
    outcome.add(served);
  });
  return outcome;
}

}  // namespace shift::sim
