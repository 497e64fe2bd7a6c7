#pragma once

#include "common/Counters.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

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

  LatencyHistogram& readLatency;
  LatencyHistogram& writeLatency;

  EngineTotals totals() const;
};

}  // namespace shift::node
