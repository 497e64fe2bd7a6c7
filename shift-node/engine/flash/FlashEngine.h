#pragma once

#include <memory>
#include <vector>

#include "blocks/Checksum.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "common/PeriodicTask.h"
#include "shift-node/engine/Engine.h"
#include "shift-node/engine/flash/FlashEngineConfig.h"
#include "shift-node/engine/flash/FlashEvictor.h"
#include "shift-node/engine/flash/FlashParts.h"
#include "shift-node/engine/flash/FlashReader.h"
#include "shift-node/engine/flash/FlashWriter.h"

namespace shift::node {

/**
 * Segments on flash, with the most recently used in memory as well. Survives restarts and crashes: what comes
 * back is verified before it is served. shift-node/engine/README.md tells how.
 *
 * A device that fails is taken out of use; when none is left, memory alone goes on, least recently used first
 * to go. The destructor writes everything out and returns when the devices have answered every request.
 */
class FlashEngine final : public Engine {
 public:
  /**
   * Opens the files, recovers what they hold and starts the background work. Refuses a configuration that
   * cannot work, with all its faults in one message. `clock` and `counters` outlive the engine; `hook` is
   * asked in mode kFifo only.
   */
  static Result<std::unique_ptr<FlashEngine>> open(const FlashEngineConfig& config, const Clock& clock,
                                                   CounterRegistry& counters, EvictionHook hook = {});

  /** The same over devices that were opened already, and without background work: writeJournal() and
   * expireOverdue() are the caller's to call. `config.files` is not looked at. */
  static Result<std::unique_ptr<FlashEngine>> create(const FlashEngineConfig& config,
                                                     std::vector<std::unique_ptr<Device>> devices,
                                                     const Clock& clock, CounterRegistry& counters,
                                                     EvictionHook hook = {},
                                                     SegmentChecksum checksum = &checksumOf);
  ~FlashEngine() override;

  void lookup(std::span<const SegmentKey> keys, Check check, LookupDone done) override;
  std::vector<bool> probe(std::span<const SegmentKey> keys) const override;
  InsertOutcome insert(const SegmentKey& key, SegmentRef segment, double score) override;
  void remove(const SegmentKey& key) override;
  void setScores(std::span<const GroupScore> scores) override;
  double evictionFloor() const override;
  Status flush() override;
  EngineStatus status() const override;

  std::size_t keyParts() const override;
  std::vector<SegmentKey> keysIn(std::size_t part) const override;
  void verify(std::span<const SegmentKey> keys, VerifyDone done) override;

  /** Makes the index durable as it stands; in the background every `journalInterval`. */
  Status writeJournal();
  /** Gives up on requests that take too long; in the background every quarter of `ioTimeout`. */
  void expireOverdue();
  /** Memory of everything that grows with the number of segments on flash. */
  std::uint64_t indexBytes() const;

 private:
  FlashEngine(const FlashEngineConfig& config, const Clock& clock, CounterRegistry& counters,
              EvictionHook hook, SegmentChecksum checksum);

  /** Takes over the devices and recovers what they hold. */
  Status adopt(std::vector<std::unique_ptr<Device>> devices);
  void startBackgroundWork();
  Status writeJournalOf(Volume& volume);

  /** The segment if it is in memory; else, if it is on flash, where. A use of it. */
  SegmentRef findOrLocate(const SegmentKey& key, std::vector<FlashPlace>& onFlash);
  /** A segment in memory, if it passes its check; else it is dropped. */
  SegmentRef verifiedInMemory(const SegmentKey& key, SegmentRef segment);
  void arrivedFromFlash(const SegmentKey& key, const SegmentRef& segment);
  bool isHeldLocked(Shard& shard, const SegmentKey& key) const;

  /** The segment in memory of the arena; empty if all of it is in use. */
  SegmentRef copyToArena(const SegmentRef& segment);
  InsertOutcome insertIntoDram(const SegmentKey& key, const SegmentRef& segment);
  InsertOutcome insertOntoFlash(const SegmentKey& key, const SegmentRef& segment, double score,
                                FlashEvictor::Room room);
  /** Makes the segment known, before it is written. */
  InsertOutcome enter(const SegmentEntry& entry, const std::shared_ptr<SegmentWrite>& write, double score,
                      bool keepInDram);
  /** What the journal shall keep of an old record. */
  std::optional<InsertRecord> keepRecord(Volume& volume, const InsertRecord& old, bool mustForget);

  std::unique_ptr<FlashParts> parts_;
  FlashReader reader_;
  FlashWriter writer_;
  FlashEvictor evictor_;
  std::atomic<std::uint32_t> largestUnits_{1};  // seen so far: less room than this is no room
  std::vector<std::unique_ptr<PeriodicTask>> tasks_;
};

}  // namespace shift::node
