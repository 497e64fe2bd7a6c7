#pragma once

#include <istream>
#include <string>

#include "tools/sim/Trace.h"

namespace shift::sim {

struct RecordingOptions {
  double cacheBytes = 0;  // of flash; what the trace is replayed against
};

/**
 * Reads a recorded trace, in one of three forms:
 *
 * - a log of requests, as control::RequestLogWriter writes it;
 * - block traces, in CSV whose first line names the columns: op_time, block_id, io_size, io_offset, op_name
 * and others. Reads are the rows whose op_name begins with "get". Nobody said which job reads: the user
 * stands for it, and there are no specs;
 * - the same as in our log, in CSV: time, job, path, version, file_size, block_size, block_index, offset,
 * length.
 *
 * Throws std::runtime_error with the line, if it cannot be read.
 */
Trace readRecording(const std::string& path, const RecordingOptions& options);
/** `name` is what messages call it. */
Trace readRecording(std::istream& in, const std::string& name, const RecordingOptions& options);

}  // namespace shift::sim
