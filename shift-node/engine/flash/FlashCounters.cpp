#include "shift-node/engine/flash/FlashCounters.h"

namespace shift::node {

FlashCounters::FlashCounters(CounterRegistry& counters)
    : dramHits(counters.counter("engine_dram_hits_total", "Segments found in memory")),
      flashHits(counters.counter("engine_flash_hits_total", "Segments read from flash")),
      misses(counters.counter("engine_misses_total", "Segments looked up and not held")),
      inserts(counters.counter("engine_inserts_total", "Segments taken in")),
      insertedBytes(counters.counter("engine_inserted_bytes_total", "Bytes of segments taken in")),
      insertsRefused(
          counters.counter("engine_inserts_refused_total", "Segments that would be evicted first")),
      insertsFailed(
          counters.counter("engine_inserts_failed_total", "Segments not taken: too many writes wait")),
      admittedBytes(counters.counter("engine_written_admitted_bytes_total", "Flash writes for new segments")),
      reinsertedBytes(
          counters.counter("engine_written_reinserted_bytes_total", "Flash writes for reinserted segments")),
      metadataBytes(counters.counter("engine_written_metadata_bytes_total", "Flash writes for the index")),
      deviceWrites(counters.counter("engine_device_writes_total", "Write requests for segments")),
      evictions(counters.counter("engine_evictions_total", "Segments evicted to make room")),
      reinsertions(counters.counter("engine_reinsertions_total", "Segments written again, not evicted")),
      evictionsJournal(
          counters.counter("engine_evictions_journal_total", "Segments evicted since the index was full")),
      dramEvictions(counters.counter("engine_dram_evictions_total", "Segments dropped from memory for room")),
      removals(counters.counter("engine_removals_total", "Segments removed on request")),
      checksumFailures(counters.counter("engine_checksum_failures_total",
                                        "Segments that were not what was written, and were dropped")),
      overtakenReads(
          counters.counter("engine_overtaken_reads_total", "Segments evicted while they were being read")),
      readErrors(counters.counter("engine_read_errors_total", "Flash reads that failed")),
      writeErrors(counters.counter("engine_write_errors_total", "Flash writes that failed")),
      timeouts(counters.counter("engine_io_timeouts_total", "Flash requests that took too long")),
      journalErrors(counters.counter("engine_journal_errors_total", "Failures to write the index")),
      lostSegments(counters.counter("engine_lost_segments_total", "Segments lost with a failed device")),
      queueDepth(counters.counter("engine_flash_queue_depth", "Segment reads and writes under way")),
      indexBytes(counters.counter("engine_index_bytes", "Memory of the index of flash")),
      devicesInUse(counters.counter("engine_devices_in_use", "Flash files in use")),
      recovered(counters.counter("engine_recovered_segments", "Segments found at the start")),
      readLatency(counters.histogram("engine_flash_read_seconds", "How long flash reads of segments took")),
      writeLatency(
          counters.histogram("engine_flash_write_seconds", "How long flash writes of segments took")) {}

EngineTotals FlashCounters::totals() const {
  const auto number = [](const Counter& counter) { return static_cast<std::uint64_t>(counter.value()); };
  return {.dramHits = number(dramHits),
          .flashHits = number(flashHits),
          .misses = number(misses),
          .admittedBytes = number(admittedBytes),
          .reinsertedBytes = number(reinsertedBytes),
          .metadataBytes = number(metadataBytes),
          .failures = number(checksumFailures) + number(readErrors) + number(timeouts)};
}

}  // namespace shift::node
