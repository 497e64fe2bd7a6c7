#pragma once

#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Counters.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

/** How often an operation took up to 64 us, 128 us, ... 8 s: cumulative counters, as Prometheus has them. */
class LatencyHistogram {
 public:
  /** Counters `<name>_under_64us_total` and so on, and `<name>_total`. */
  LatencyHistogram(CounterRegistry& counters, const std::string& name, const std::string& what);
  void record(Duration took);

 private:
  std::vector<Counter*> buckets_;
  Counter& all_;
};

/** All numbers that the flash engine tells about itself. */
struct FlashCounters {
  explicit FlashCounters(CounterRegistry& counters);

  Counter& dramHits;
  Counter& flashHits;
  Counter& misses;
  Counter& inserts;
  Counter& insertedBytes;
  Counter& insertsRefused;
  Counter& insertsFailed;

  Counter& admittedBytes;    // written to flash for inserts, whole units
  Counter& reinsertedBytes;  // written to flash again on the eviction hook's word
  Counter& metadataBytes;    // written to flash for the index
  Counter& deviceWrites;     // segments' writes handed to devices

  Counter& evictions;
  Counter& reinsertions;
  Counter& evictionsJournal;
  Counter& dramEvictions;
  Counter& removals;

  Counter& checksumFailures;
  Counter& overtakenReads;
  Counter& readErrors;
  Counter& writeErrors;
  Counter& timeouts;
  Counter& journalErrors;
  Counter& lostSegments;

  Counter& queueDepth;
  Counter& indexBytes;
  Counter& devicesInUse;
  Counter& recovered;

  LatencyHistogram readLatency;
  LatencyHistogram writeLatency;

  EngineTotals totals() const;
};

}  // namespace shift::node
