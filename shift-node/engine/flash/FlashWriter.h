#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "shift-node/engine/flash/FlashParts.h"
#include "shift-node/engine/flash/FlashReader.h"

namespace shift::node {

enum class WriteCause { kAdmitted, kReinserted };

/** One segment on its way to flash. It owns its units until it ends: nobody else may write there before. */
struct SegmentWrite {
  SegmentKey key;
  SegmentRef segment;
  WriteCause cause = WriteCause::kAdmitted;
  Volume* volume = nullptr;
  std::vector<Extent> extents;
  TimePoint started;
  std::uint64_t watched = 0;
  std::atomic<std::uint32_t> pieces{0};  // under way
  std::atomic<int> error{0};             // the first
  std::atomic<bool> isWaitedFor{true};   // until it ended, or was given up by the clock
  bool isAbandoned = false;              // the segment left the index meanwhile; guarded by the shard's lock
};

/** Writes segments to flash, and enters them in the journal when they are there. Thread-safe; holds no lock
 * while a device works. */
class FlashWriter {
 public:
  FlashWriter(FlashParts& parts, FlashReader& reader) : parts_(parts), reader_(reader) {}

  /** Whether so much waits to be written that no more should be added. */
  bool isFull() const;

  /** Starts a write whose entry is in the index, marked as being written, and in `writing` of its shard. */
  void start(const std::shared_ptr<SegmentWrite>& write);

  /** Writes a segment again, to where it is: what a log-structured cache does to keep a segment that is its
   * turn to go. The bytes do not change, so a crash in the middle does no harm. */
  void writeAgain(const SegmentKey& key);

  /** Returns when no write is waited for. */
  void waitForAll() const;

 private:
  void writeAgain(const FlashPlace& place, SegmentRef segment);
  void finish(const std::shared_ptr<SegmentWrite>& write, int error);
  void enter(SegmentWrite& write);
  void expire(const std::shared_ptr<SegmentWrite>& write);
  void stopWaitingFor(SegmentWrite& write);

  FlashParts& parts_;
  FlashReader& reader_;
  std::atomic<std::uint64_t> bytesUnderWay_{0};
  std::atomic<std::uint32_t> waitedFor_{0};
};

}  // namespace shift::node
