#include "shift-node/Filler.h"

#include <fmt/format.h>

#include <algorithm>

#include "blocks/Checksum.h"
#include "blocks/Geometry.h"

namespace shift::node {

/** One get that waits for segments, some of which may be in other gets' flights. Guarded by the filler's
 * mutex. */
struct Filler::Waiter {
  Done done;
  FillResult result{.status = FillStatus::kFilled};
  std::size_t outstanding = 0;
};

/** A flight: neighbouring segments of one block that are fetched by one backing read. */
struct Filler::Run {
  control::ReadRequest read;
  double score = 0;
  std::vector<SegmentKey> keys;  // neighbours, ascending
  std::uint64_t bytes = 0;
  TimePoint deadline;  // the latest of those who wait; guarded by the filler's mutex, as is the rest
  bool isPrefetch = false;
  std::shared_ptr<Waiter> initiator;
  struct Seat {
    std::shared_ptr<Waiter> waiter;
    std::size_t from;  // index into the run
    std::size_t to;    // index into the waiter's segments
  };
  std::vector<Seat> seats;
};

Filler::QueueGauges::QueueGauges(CounterRegistry& registry, const char* kind)
    : reads(registry.counter("node_fill_queue_reads", "Reads of the backing store that wait to begin",
                             {{"kind", kind}})),
      bytes(registry.counter("node_fill_queue_bytes",
                             "Bytes of reads of the backing store that wait to begin", {{"kind", kind}})) {}

Filler::Filler(const FillerConfig& config, const store::BackingStore& store, Engine& engine,
               const Clock& clock, CounterRegistry& counters)
    : config_(config),
      store_(store),
      engine_(engine),
      clock_(clock),
      backingReads_(counters.counter("node_backing_reads_total", "Reads of the backing store")),
      backingBytes_(counters.counter("node_backing_bytes_total", "Bytes read from the backing store")),
      backingErrors_(counters.counter("node_backing_errors_total", "Reads of the backing store that failed")),
      joined_(
          counters.counter("node_fills_joined_total", "Segments that waited for a fetch already under way")),
      changed_(counters.counter("node_fills_changed_total",
                                "Fetches dropped because the file had another version")),
      busy_(counters.counter("node_fills_busy_total",
                             "Fills refused because too much was waiting or it was too late")),
      readTime_(counters.histogram("node_backing_read_seconds", "How long reads of the backing store took")),
      demandGauges_(counters, "demand"),
      prefetchGauges_(counters, "prefetch") {
  threads_.reserve(config_.threads);
  for (std::uint32_t i = 0; i < config_.threads; ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

Filler::~Filler() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

bool Filler::fill(FillRequest request, Done done) {
  auto waiter = std::make_shared<Waiter>();
  waiter->done = std::move(done);
  waiter->result.segments.resize(request.segments.size());
  waiter->outstanding = request.segments.size();
  const std::uint64_t lengthOfBlock =
      blockLength(request.read.fileSize, request.read.blockIndex, request.read.blockSize);
  {
    std::unique_lock lock(mutex_);
    std::uint64_t& queuedBytes = request.isPrefetch ? prefetchBytes_ : demandBytes_;
    if (queuedBytes >= (request.isPrefetch ? config_.maxQueuedBytes / 4 : config_.maxQueuedBytes)) {
      lock.unlock();
      busy_.add();
      waiter->done({.status = FillStatus::kBusy, .reason = "too many fills are waiting"});
      return false;
    }
    std::shared_ptr<Run> run;
    for (std::size_t i = 0; i < request.segments.size(); ++i) {
      const SegmentKey key{request.read.block, request.segments[i]};
      if (const auto flight = flights_.find(key); flight != flights_.end()) {
        Run& joined = *flight->second;
        const auto at = std::lower_bound(joined.keys.begin(), joined.keys.end(), key) - joined.keys.begin();
        joined.seats.push_back({waiter, static_cast<std::size_t>(at), i});
        joined.deadline = std::max(joined.deadline, request.deadline);
        joined_.add();
        if (!request.isPrefetch) {
          promote(flight->second);
        }
        run.reset();
        continue;
      }
      const std::uint64_t length = segmentLength(lengthOfBlock, key.segment, config_.segmentSize);
      const bool extends = run != nullptr && run->keys.back().segment + 1 == key.segment &&
                           run->bytes + length <= config_.maxReadBytes;
      if (!extends) {
        run = std::make_shared<Run>();
        run->read = request.read;
        run->score = request.score;
        run->deadline = request.deadline;
        run->initiator = waiter;
        run->isPrefetch = request.isPrefetch;
        (request.isPrefetch ? prefetch_ : demand_).push_back(run);
      }
      run->seats.push_back({waiter, run->keys.size(), i});
      run->keys.push_back(key);
      run->bytes += length;
      queuedBytes += length;
      flights_.emplace(key, run);
    }
    tellQueues();
  }
  wake_.notify_all();
  return true;
}

void Filler::tellQueues() {
  demandGauges_.reads.set(static_cast<std::int64_t>(demand_.size()));
  demandGauges_.bytes.set(static_cast<std::int64_t>(demandBytes_));
  prefetchGauges_.reads.set(static_cast<std::int64_t>(prefetch_.size()));
  prefetchGauges_.bytes.set(static_cast<std::int64_t>(prefetchBytes_));
}

void Filler::promote(const std::shared_ptr<Run>& run) {
  const auto queued = std::find(prefetch_.begin(), prefetch_.end(), run);
  if (queued != prefetch_.end()) {
    prefetch_.erase(queued);
    prefetchBytes_ -= run->bytes;
    run->isPrefetch = false;
    demand_.push_back(run);
    demandBytes_ += run->bytes;
  }
}

std::shared_ptr<Filler::Run> Filler::takeNext() {
  const bool mayPrefetch = stopping_ || prefetching_ < std::max(1u, config_.threads / 2);
  const bool isDemand = !demand_.empty();
  if (!isDemand && (prefetch_.empty() || !mayPrefetch)) {
    return nullptr;
  }
  std::deque<std::shared_ptr<Run>>& queue = isDemand ? demand_ : prefetch_;
  std::shared_ptr<Run> run = std::move(queue.front());
  queue.pop_front();
  (isDemand ? demandBytes_ : prefetchBytes_) -= run->bytes;
  tellQueues();
  return run;
}

void Filler::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    std::shared_ptr<Run> run;
    wake_.wait(lock, [&] { return (run = takeNext()) != nullptr || stopping_; });
    if (run == nullptr) {
      return;
    }
    const bool isPrefetch = run->isPrefetch;
    prefetching_ += isPrefetch ? 1 : 0;
    const bool isTooLate = run->deadline < clock_.now() || (isPrefetch && stopping_);
    lock.unlock();
    if (isTooLate) {
      busy_.add();
      finish(run, {.status = FillStatus::kBusy, .reason = "the deadline passed while it waited"});
    } else {
      process(run);
    }
    lock.lock();
    if (isPrefetch) {
      --prefetching_;
      wake_.notify_all();  // one more thread may prefetch now
    }
  }
}

void Filler::process(const std::shared_ptr<Run>& run) {
  // Between a caller's look at the engine and its fill() an earlier flight may have landed.
  FillResult result;
  if (!takeFromEngine(*run, result)) {
    result = fetch(*run);
  }
  finish(run, result);
}

bool Filler::takeFromEngine(const Run& run, FillResult& result) {
  const std::vector<bool> held = engine_.probe(run.keys);
  if (std::find(held.begin(), held.end(), false) != held.end()) {
    return false;
  }
  std::mutex mutex;
  std::condition_variable ready;
  bool answered = false;
  engine_.lookup(run.keys, Check::kOnce, [&](std::vector<SegmentRef> found) {
    std::lock_guard lock(mutex);
    result.segments = std::move(found);
    answered = true;
    ready.notify_one();
  });
  std::unique_lock lock(mutex);
  ready.wait(lock, [&] { return answered; });
  result.status = FillStatus::kFilled;
  return std::all_of(result.segments.begin(), result.segments.end(),
                     [](const SegmentRef& ref) { return bool(ref); });
}

FillResult Filler::fetch(const Run& run) {
  std::uint64_t fetchedBytes = 0;
  const auto failed = [&](FillStatus status, std::string reason) {
    (status == FillStatus::kChanged ? changed_ : backingErrors_).add();
    return FillResult{.status = status, .reason = std::move(reason), .fetchedBytes = fetchedBytes};
  };
  const Result<std::unique_ptr<store::BackingFile>> file = store_.open(run.read.path);
  if (!file) {
    return failed(FillStatus::kFailed, file.error().message);
  }
  const store::FileInfo wanted{run.read.fileSize, run.read.version};
  if ((*file)->info() != wanted) {
    return failed(FillStatus::kChanged, "the file has another version");
  }

  const std::uint64_t lengthOfBlock = blockLength(run.read.fileSize, run.read.blockIndex, run.read.blockSize);
  std::vector<std::shared_ptr<std::byte>> memory;
  std::vector<std::span<std::byte>> buffers;
  for (const SegmentKey& key : run.keys) {
    const std::uint32_t length = segmentLength(lengthOfBlock, key.segment, config_.segmentSize);
    memory.push_back(allocateSegment(length));
    buffers.emplace_back(memory.back().get(), length);
  }
  const std::uint64_t offset = run.read.blockIndex * run.read.blockSize +
                               std::uint64_t{run.keys.front().segment} * config_.segmentSize;
  backingReads_.add();
  const TimePoint began = clock_.now();
  const Result<std::size_t> got = (*file)->read(buffers, offset);
  readTime_.record(clock_.now() - began);
  if (!got) {
    return failed(FillStatus::kFailed, got.error().message);
  }
  fetchedBytes = *got;
  backingBytes_.add(static_cast<std::int64_t>(fetchedBytes));
  const Result<store::FileInfo> after = (*file)->currentInfo();
  if (fetchedBytes != run.bytes || !after || *after != wanted) {
    return failed(FillStatus::kChanged, "the file changed while it was read");
  }

  FillResult result{.status = FillStatus::kFilled, .fetchedBytes = fetchedBytes};
  for (std::size_t i = 0; i < run.keys.size(); ++i) {
    const SegmentRef segment{memory[i], static_cast<std::uint32_t>(buffers[i].size()),
                             checksumOf(run.keys[i], 0, buffers[i])};
    engine_.insert(run.keys[i], segment,
                   run.score);  // refused or failed: these callers are served all the same
    result.segments.push_back(segment);
  }
  return result;
}

void Filler::finish(const std::shared_ptr<Run>& run, const FillResult& result) {
  std::vector<std::shared_ptr<Waiter>> complete;
  {
    std::lock_guard lock(mutex_);
    for (const SegmentKey& key : run->keys) {
      flights_.erase(key);
    }
    run->initiator->result.fetchedBytes += result.fetchedBytes;
    for (const Run::Seat& seat : run->seats) {
      FillResult& whole = seat.waiter->result;
      if (result.status == FillStatus::kFilled) {
        whole.segments[seat.to] = result.segments[seat.from];
      } else {
        whole.status = result.status;
        whole.reason = result.reason;
      }
      if (--seat.waiter->outstanding == 0) {
        complete.push_back(seat.waiter);
      }
    }
  }
  for (const std::shared_ptr<Waiter>& waiter : complete) {
    waiter->done(std::move(waiter->result));
  }
}

}  // namespace shift::node
