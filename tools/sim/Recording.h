#pragma once

#include <string>

#include "tools/sim/Trace.h"

namespace shift::sim {

struct RecordingOptions {
  double cacheBytes = 0;  // of flash; what the trace is replayed against
};

/**
 * Reads a recorded trace from a CSV file whose first line names the columns, in one of two forms:
 *
 * - block traces: op_time, block_id, io_size, io_offset, op_name and others. Reads are the rows whose op_name
 *   begins with "get". Nobody said which job reads: the user stands for it, and there are no specs.
 * - our own: time, job, path, version, file_size, block_size, block_index, offset, length.
 *
 * Throws std::runtime_error with the line, if it cannot be read.
 */
Trace readRecording(const std::string& path, const RecordingOptions& options);

}  // namespace shift::sim
