#pragma once

#include <string>

namespace shift::bench {

/** A call that is repeated to be measured. */
struct MeasuredCall {
  std::string name;  // "read", "pread", "open", "open-read", and "client" for a pread of the client library
  std::string file;  // the client's configuration for "client", which reads "file"
  std::size_t size = 0;
  bool isWallTime = false;  // for calls that wait for others: the time that passed, not the processor's
};

/**
 * Microseconds a call, in this process: the least of many rounds, as whatever else runs on the machine only
 * adds. Throws if a call fails.
 */
double microsecondsPer(const MeasuredCall& call);

}  // namespace shift::bench
