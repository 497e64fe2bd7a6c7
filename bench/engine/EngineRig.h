#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Counters.h"
#include "shift-node/engine/flash/FlashEngine.h"

namespace shift::bench {

struct Throughput {
  double bytesPerSecond = 0;
  double cpuSecondsPerGiB = 0;  // of this process
};

/** A flash engine on a real file, and the loads that are put on it. */
class EngineRig {
 public:
  explicit EngineRig(const node::FlashEngineConfig& config);

  /** Inserts segments of that size, one per key, as fast as they are taken; returns when all is on flash. */
  Throughput insert(std::uint64_t count, std::uint32_t size, std::uint32_t segmentsPerBlock);
  /** The same for a time. */
  Throughput insertFor(double seconds, std::uint32_t size, std::uint32_t segmentsPerBlock);

  /** Looks up random segments of the newest `among`, `depth` at a time. Throws if one is missing. */
  Throughput readFor(double seconds, std::uint32_t depth, std::uint64_t among);

  /** Looks up random segments one by one and copies each into the same buffer. */
  Throughput copyFor(double seconds, std::uint64_t among);

  /** Stops the engine cleanly and starts it again; seconds until it is ready. */
  double restart();

  node::FlashEngine& engine() { return *engine_; }
  std::int64_t counter(std::string_view name) const;

 private:
  class Chain;

  void open();
  void insertOne(std::uint64_t number);
  void waitForFlash();
  SegmentKey keyOf(std::uint64_t number) const;

  const node::FlashEngineConfig config_;
  SystemClock clock_;
  std::unique_ptr<CounterRegistry> counters_;
  std::unique_ptr<node::FlashEngine> engine_;
  node::SegmentRef content_;
  std::uint32_t segmentsPerBlock_ = 1;
  std::uint64_t inserted_ = 0;
};

/** Memory of the size that an engine was given, in the pages that an engine asks for, to copy from. */
class CopyArena {
 public:
  explicit CopyArena(std::uint64_t bytes);
  ~CopyArena();
  CopyArena(const CopyArena&) = delete;
  CopyArena& operator=(const CopyArena&) = delete;

  /** Copies that much at a time from random places into the same buffer. */
  Throughput copyFor(double seconds, std::uint32_t size);

 private:
  const std::uint64_t bytes_;
  std::byte* memory_ = nullptr;
};

}  // namespace shift::bench
