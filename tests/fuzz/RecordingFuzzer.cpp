#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tools/sim/Recording.h"

/** Recordings come from other machines: whatever is accepted must lie within its blocks and be in order. */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const shift::sim::Trace trace = shift::sim::readRecording(in, "fuzz", {});
    double last = 0;
    for (const shift::sim::TraceEvent& event : trace.events) {
      const bool inOrder = event.time >= last;
      const bool within = event.block < trace.blocks.size() && event.job < trace.jobs.size() &&
                          std::uint64_t{event.offset} + event.length <= trace.blockSize;
      if (!inOrder || !within) {
        std::abort();
      }
      last = event.time;
    }
  } catch (const std::runtime_error&) {
    return 0;
  }
  return 0;
}
