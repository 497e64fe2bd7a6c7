#include "bench/engine/EngineRig.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <future>
#include <random>
#include <stdexcept>
#include <thread>

#include "blocks/Checksum.h"

namespace shift::bench {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/** Time and processor time since it was made. */
class Stopwatch {
 public:
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  Throughput after(double bytes) const {
    return {bytes / elapsed(), (cpuSeconds() - cpuBegan_) / (bytes / kGiB)};
  }

 private:
  static double cpuSeconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }

  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double cpuBegan_ = cpuSeconds();
};

}  // namespace

EngineRig::EngineRig(const node::FlashEngineConfig& config) : config_(config) {
  const std::shared_ptr<std::byte> memory = node::allocateSegment(config.segmentSize);
  std::mt19937_64 random(1);
  for (std::size_t at = 0; at < config.segmentSize; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(memory.get() + at, &word, sizeof word);
  }
  content_ = {memory, config.segmentSize, 0};
  open();
}

Throughput EngineRig::insert(std::uint64_t count, std::uint32_t size, std::uint32_t segmentsPerBlock) {
  segmentsPerBlock_ = segmentsPerBlock;
  content_.size = size;
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < count; ++i) {
    insertOne(inserted_++);
  }
  waitForFlash();
  return watch.after(static_cast<double>(count) * size);
}

Throughput EngineRig::insertFor(double time, std::uint32_t size, std::uint32_t segmentsPerBlock) {
  segmentsPerBlock_ = segmentsPerBlock;
  content_.size = size;
  const Stopwatch watch;
  std::uint64_t count = 0;
  while (watch.elapsed() < time) {
    insertOne(inserted_++);
    ++count;
  }
  waitForFlash();
  return watch.after(static_cast<double>(count) * size);
}

/** Each lookup is followed by the next from within its answer, as fio submits the next where it reaps one. */
class EngineRig::Chain {
 public:
  Chain(EngineRig& rig, std::uint64_t among, std::uint64_t seed, const std::atomic<bool>& isOver)
      : rig_(rig), among_(among), random_(seed), isOver_(isOver) {}

  void next() {
    const SegmentKey key = rig_.keyOf(rig_.inserted_ - 1 - random_() % among_);
    rig_.engine_->lookup({&key, 1}, node::Check::kOnce, [this](std::vector<node::SegmentRef> found) {
      isMissing_ = isMissing_ || !found[0];
      bytes_ += found[0].size;
      isOver_ ? ended_.set_value() : next();
    });
  }

  std::uint64_t bytesAtTheEnd() {
    ended_.get_future().wait();
    if (isMissing_) {
      throw std::runtime_error("a segment that should be held was missing");
    }
    return bytes_;
  }

 private:
  EngineRig& rig_;
  const std::uint64_t among_;
  std::mt19937_64 random_;
  const std::atomic<bool>& isOver_;
  std::uint64_t bytes_ = 0;
  bool isMissing_ = false;
  std::promise<void> ended_;
};

Throughput EngineRig::readFor(double time, std::uint32_t depth, std::uint64_t among) {
  std::atomic<bool> isOver{false};
  std::deque<Chain> chains;
  const Stopwatch watch;
  for (std::uint32_t i = 0; i < depth; ++i) {
    chains.emplace_back(*this, among, inserted_ + i, isOver).next();
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(time));
  isOver = true;
  std::uint64_t bytes = 0;
  for (Chain& chain : chains) {
    bytes += chain.bytesAtTheEnd();
  }
  return watch.after(static_cast<double>(bytes));
}

Throughput EngineRig::copyFor(double time, std::uint64_t among) {
  const std::shared_ptr<std::byte> into = node::allocateSegment(config_.segmentSize);
  std::mt19937_64 random(3);
  double bytes = 0;
  const Stopwatch watch;
  while (watch.elapsed() < time) {
    const SegmentKey key = keyOf(inserted_ - 1 - random() % among);
    bool isCopied = false;  // a hit in memory is answered before lookup() returns
    engine_->lookup({&key, 1}, node::Check::kOnce, [&](std::vector<node::SegmentRef> found) {
      std::memcpy(into.get(), found[0].data.get(), found[0].size);
      isCopied = true;
    });
    if (!isCopied) {
      throw std::runtime_error("a segment that should be in memory was not");
    }
    bytes += content_.size;
  }
  return watch.after(bytes);
}

double EngineRig::restart() {
  engine_.reset();
  const Stopwatch watch;
  open();
  return watch.elapsed();
}

std::int64_t EngineRig::counter(std::string_view name) const {
  for (const CounterValue& counter : counters_->snapshot()) {
    if (counter.name == name) {
      return counter.value;
    }
  }
  throw std::runtime_error("no counter " + std::string(name));
}

void EngineRig::open() {
  counters_ = std::make_unique<CounterRegistry>();
  auto engine = node::FlashEngine::open(config_, clock_, *counters_);
  if (!engine) {
    throw std::runtime_error(engine.error().message);
  }
  engine_ = std::move(*engine);
}

/** Newer ones score better, so that none is refused. Waits while the write buffer is full. */
void EngineRig::insertOne(std::uint64_t number) {
  const SegmentKey key = keyOf(number);
  // The bytes are the same for all, the checksum is the key's own: what is read is verified.
  const std::uint64_t checksum = checksumOf(key, 0, content_.bytes());
  while (true) {
    const auto outcome =
        engine_->insert(key, {content_.data, content_.size, checksum}, static_cast<double>(number));
    if (outcome == node::InsertOutcome::kInserted) {
      return;
    }
    if (outcome != node::InsertOutcome::kFailed || counter("engine_devices_in_use") == 0) {
      throw std::runtime_error("an insert was refused");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void EngineRig::waitForFlash() {
  const Status status = engine_->flush();
  if (!status || counter("engine_devices_in_use") == 0) {
    throw std::runtime_error("the flash file failed" + (status ? "" : ": " + status.error().message));
  }
}

SegmentKey EngineRig::keyOf(std::uint64_t number) const {
  const std::uint64_t block = number / segmentsPerBlock_;
  return {{block * 0x9e3779b97f4a7c15ULL, block}, static_cast<std::uint32_t>(number % segmentsPerBlock_)};
}

CopyArena::CopyArena(std::uint64_t bytes) : bytes_(bytes) {
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    throw std::runtime_error("no memory for the arena");
  }
  ::madvise(mapped, bytes, MADV_HUGEPAGE);
  memory_ = static_cast<std::byte*>(mapped);
  std::memset(memory_, 1, bytes);
}

CopyArena::~CopyArena() {
  ::munmap(memory_, bytes_);
}

Throughput CopyArena::copyFor(double time, std::uint32_t size) {
  const std::shared_ptr<std::byte> into = node::allocateSegment(size);
  std::mt19937_64 random(3);
  double bytes = 0;
  const Stopwatch watch;
  while (watch.elapsed() < time) {
    std::memcpy(into.get(), memory_ + random() % (bytes_ / size) * size, size);
    bytes += size;
  }
  return watch.after(bytes);
}

}  // namespace shift::bench
