#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "shift-node/engine/flash/FlashParts.h"

namespace shift::node {

/** Where a segment was found on flash. */
struct FlashPlace {
  SegmentKey key;
  SegmentEntry entry;
  std::vector<Extent> extents;

  /** The segment's entry, if it has been there all the while: neither evicted nor being written anew. Called
   * with the shard's lock held. */
  SegmentEntry* stillIn(Shard& shard) const;
};

/** Reads segments from flash and, if asked to, verifies them. Thread-safe; holds no lock while a device
 * works. */
class FlashReader {
 public:
  /** Gets the segment, or nothing where it failed, came late, or was not what had been written. */
  using Done = std::function<void(SegmentRef)>;
  struct Job {
    FlashPlace place;
    Done done;
    bool mustVerify = true;
  };

  explicit FlashReader(FlashParts& parts) : parts_(parts) {}

  /** Starts all reads, each device's together. Each `done` is called exactly once, on any thread. */
  void start(std::vector<Job> jobs);

 private:
  struct Read;

  void submit(std::vector<std::vector<IoRequest>> byVolume);
  void finish(const std::shared_ptr<Read>& read, int error);
  void expire(const std::shared_ptr<Read>& read);
  SegmentRef resultOf(const Read& read);
  bool isStillThere(const FlashPlace& place) const;

  FlashParts& parts_;
};

}  // namespace shift::node
