#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "backing-store/BackingStore.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "control-plane/ReadRequest.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

struct FillerConfig {
  std::uint32_t threads = 8;                         // concurrent backing reads
  std::uint64_t maxReadBytes = 8 * 1024 * 1024;      // neighbouring segments are fetched together up to this
  std::uint64_t maxQueuedBytes = 256 * 1024 * 1024;  // more waiting than this is answered "busy"
  std::uint32_t segmentSize = 256 * 1024;
};

/** Segments of one block to bring in for one get. */
struct FillRequest {
  control::ReadRequest read;
  std::vector<std::uint32_t> segments;  // ascending
  double score = 0;                     // the block's, for the engine
  TimePoint deadline;                   // nobody waits for it after this
  bool isPrefetch = false;  // nobody waits for it at all: after everything else, and within bounds
};

enum class FillStatus {
  kFilled,   // every segment is here
  kChanged,  // the file is not, or no longer, the version that was asked for
  kFailed,   // the backing store would not give it
  kBusy,     // too much is waiting, or the deadline passed
};

struct FillResult {
  FillStatus status = FillStatus::kFailed;
  std::string reason;                // for what is not kFilled
  std::vector<SegmentRef> segments;  // as asked for, if kFilled
  std::uint64_t fetchedBytes = 0;    // read from the backing store on this request's account
};

/**
 * Fetches missing segments from the backing store, on threads of its own, and inserts them into the engine.
 *
 * One flight per segment: whoever asks for a segment that is being fetched waits for that fetch. Neighbours
 * are merged into one backing read. The file's version is checked before and after the read and before
 * anything is inserted, so that what is inserted under a block's id is that block.
 *
 * Demand goes before prefetch: a prefetch is begun only when no demand waits, by half of the threads at most,
 * and becomes demand as soon as somebody waits for one of its segments. Thread-safe.
 */
class Filler {
 public:
  using Done = std::function<void(FillResult)>;

  Filler(const FillerConfig& config, const store::BackingStore& store, Engine& engine, const Clock& clock,
         CounterRegistry& counters);
  /** Finishes what is queued. No fill() may come any more. */
  ~Filler();

  /** `done` is called exactly once: at once if too much is waiting (then false is returned), else by one of
   * the filler's threads. */
  bool fill(FillRequest request, Done done);

 private:
  struct Waiter;
  struct Run;

  /** Somebody waits for a fetch that was queued as a prefetch: it is one no longer. With the mutex held. */
  void promote(const std::shared_ptr<Run>& run);
  /** Says what waits now. With the mutex held. */
  void tellQueues();
  /** The next run to fetch, or none now. With the mutex held. */
  std::shared_ptr<Run> takeNext();
  void work();
  void process(const std::shared_ptr<Run>& run);
  FillResult fetch(const Run& run);
  bool takeFromEngine(const Run& run, FillResult& result);
  void finish(const std::shared_ptr<Run>& run, const FillResult& result);

  const FillerConfig config_;
  const store::BackingStore& store_;
  Engine& engine_;
  const Clock& clock_;
  Counter& backingReads_;
  Counter& backingBytes_;
  Counter& backingErrors_;
  Counter& joined_;
  Counter& changed_;
  Counter& busy_;
  LatencyHistogram& readTime_;
  struct QueueGauges {
    QueueGauges(CounterRegistry& registry, const char* kind);
    Counter& reads;
    Counter& bytes;
  };
  QueueGauges demandGauges_;
  QueueGauges prefetchGauges_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Run>> demand_;
  std::deque<std::shared_ptr<Run>> prefetch_;
  std::unordered_map<SegmentKey, std::shared_ptr<Run>> flights_;
  std::uint64_t demandBytes_ = 0;    // queued
  std::uint64_t prefetchBytes_ = 0;  // queued
  std::uint32_t prefetching_ = 0;    // threads that are at it
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace shift::node
