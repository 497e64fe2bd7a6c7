#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "blocks/BlockId.h"
#include "common/Result.h"
#include "shift-node/engine/Inspection.h"
#include "shift-node/engine/SegmentRef.h"

namespace shift::node {

/** A group of segments that are scored together: a block. */
using GroupId = BlockId;

struct GroupScore {
  GroupId group;
  double score = 0;  // higher stays longer
};

/** Not a number has no place in an order: it counts as the worst. */
inline double orderable(double score) {
  return std::isnan(score) ? -std::numeric_limits<double>::infinity() : score;
}

/** What an engine can do; the rest of the node adapts to it. */
struct EngineCapabilities {
  bool scores = false;       // evicts by setScores(), then recency; else by its own order
  bool reinsertion = false;  // asks the eviction hook
  bool persistent = false;   // keeps its segments across a restart
};

/** What an engine has done since its start. */
struct EngineTotals {
  std::uint64_t dramHits = 0;  // segments
  std::uint64_t flashHits = 0;
  std::uint64_t misses = 0;
  std::uint64_t admittedBytes = 0;    // written to flash for inserts
  std::uint64_t reinsertedBytes = 0;  // written to flash again, on the eviction hook's word
  std::uint64_t metadataBytes = 0;    // written to flash for the index
  std::uint64_t failures = 0;         // segments that could not be read, or failed their check
};

/** One of the kinds of memory that an engine keeps segments in. A segment may be in both. */
struct TierStatus {
  Tier tier = Tier::kDram;
  std::uint64_t capacityBytes = 0;  // of what is in use
  std::uint64_t usedBytes = 0;
  std::uint64_t segments = 0;
};

struct DeviceStatus {
  std::string name;
  bool isInUse = true;  // false: it failed too often, and is left alone until a restart
};

struct EngineStatus {
  std::string name;
  EngineCapabilities capabilities;
  std::uint64_t capacityBytes = 0;
  std::uint64_t usedBytes = 0;
  std::uint64_t segments = 0;
  std::vector<TierStatus> tiers;
  std::vector<DeviceStatus> devices;
  EngineTotals totals;
};

enum class InsertOutcome {
  kInserted,
  kPresent,  // it was there already; nothing was changed
  kRefused,  // it would be the first to be evicted, or there is no room to be made
  kFailed,   // the device or the engine cannot take it now
};

/**
 * Asked before a segment leaves for lack of room: true = write it again instead. Called by whatever thread
 * evicts, possibly inside another call: it must be quick and must not call the engine.
 */
using EvictionHook = std::function<bool(const SegmentKey&)>;

/** Who sees to it that what a lookup found are the bytes that were inserted. */
enum class Check {
  kOnce,          // the engine, where it has not since they came from a device
  kLeftToCaller,  // the caller: what comes may not have been verified, and says so
  kAnew,          // the engine, once more: somebody doubts them
};

/** Gets one reference per key, in the keys' order; empty where there is no such segment, or it failed its
 * check. */
using LookupDone = std::function<void(std::vector<SegmentRef>)>;

/**
 * Holds segments in DRAM, on flash, or both. A cache: it may forget anything at any time, but what it returns
 * is byte for byte what was inserted under that key, or has the checksum of that and waits for its caller to
 * compare. Trouble with a device is a miss and a counter, never an error.
 *
 * Built by a factory that takes its configuration, counters and eviction hook, and that recovers what an
 * earlier process left (engines that are persistent). All methods may be called from any thread.
 */
class Engine : public Inspection {
 public:
  /**
   * Reads segments. `done` is called exactly once, on any thread, possibly before lookup() returns; it must
   * be quick. Counts as a use of the segments. What fails its check is forgotten.
   */
  virtual void lookup(std::span<const SegmentKey> keys, Check check, LookupDone done) = 0;

  /** Which of the keys are held, by the index alone: no I/O, not a use. */
  virtual std::vector<bool> probe(std::span<const SegmentKey> keys) const = 0;

  /**
   * Takes a segment whose memory came from allocateSegment(). Its group gets `score`, as by setScores(). May
   * evict others. Returns when the segment can be looked up, not when it is durable.
   */
  virtual InsertOutcome insert(const SegmentKey& key, SegmentRef segment, double score) = 0;

  /** Forgets a segment, if it is there. */
  virtual void remove(const SegmentKey& key) = 0;

  /** New scores, at any time, for groups held or not (the latter have no effect). Cost grows with the span.
   */
  virtual void setScores(std::span<const GroupScore> scores) = 0;

  /**
   * The score of what would be evicted next: an insert scoring below it is refused. Minus infinity while
   * there is room, or if the engine does not evict by score.
   */
  virtual double evictionFloor() const = 0;

  /** Makes durable what can be, and returns when it is. An engine without persistence has nothing to do. */
  virtual Status flush() = 0;

  virtual EngineStatus status() const = 0;
};

}  // namespace shift::node
