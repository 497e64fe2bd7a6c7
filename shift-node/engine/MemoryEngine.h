#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>

#include "common/Counters.h"
#include "shift-node/engine/DramArena.h"
#include "shift-node/engine/Engine.h"

namespace shift::node {

struct MemoryEngineConfig {
  std::uint64_t capacityBytes = 0;
};

/**
 * Segments in memory, evicted by score, then by recency: of the group with the worst score the least recently
 * used segment goes first, and among groups of equal score the one whose coldest segment is coldest. One
 * mutex, never held across a callback: it is the plain engine, and the model against which others are tested.
 *
 * Segments are copied into an arena, whose large pages are sent from at less cost than the heap's. One that
 * finds no room there, because what was evicted is still in use, stays in the memory it came in.
 */
class MemoryEngine final : public Engine {
 public:
  /** Throws std::bad_alloc if there is no room for the arena. */
  MemoryEngine(MemoryEngineConfig config, CounterRegistry& counters);

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

 private:
  struct Group;
  struct Held {
    SegmentKey key;
    SegmentRef segment;
    Group* group = nullptr;
    std::uint64_t lastUse = 0;
  };
  /** Score, last use of the coldest segment, group: the order in which groups give up segments. */
  using Rank = std::tuple<double, std::uint64_t, GroupId>;
  struct Group {
    std::list<Held> segments;  // coldest first
    /** In ranks_. Its score is right; a use since only makes the group's true rank higher, and is made up for
     * when something has to go: a hit costs the same however many groups there are. */
    Rank rank;
  };

  /** Only memory's own faults can spoil what is held: it is looked at only when somebody doubts it. */
  bool passes(const SegmentKey& key, const SegmentRef& segment);

  // All private functions below are called with mutex_ held.
  void touch(std::list<Held>::iterator held);
  void rescore(const GroupId& id, double score);
  /** Gives the group the rank that this score and its segments make. */
  void rerank(Group& group, double score);
  /** The segment that is to go next; there must be one. */
  std::list<Held>::iterator worst();
  /** Takes the segment out of all structures and hands it back, so that its memory is freed outside the lock.
   */
  SegmentRef takeOut(std::list<Held>::iterator held);
  double floor() const;

  const MemoryEngineConfig config_;
  DramArena arena_;
  Counter& hits_;
  Counter& misses_;
  Counter& inserted_;
  Counter& insertedBytes_;
  Counter& evicted_;
  Counter& spoilt_;

  mutable std::mutex mutex_;
  std::unordered_map<SegmentKey, std::list<Held>::iterator> index_;
  std::unordered_map<GroupId, Group> groups_;
  std::set<Rank> ranks_;  // one entry per group; none is higher than the group's true rank
  std::uint64_t usedBytes_ = 0;
  std::uint64_t largestSegment_ = 0;  // seen so far: less room than this is no room
  std::uint64_t uses_ = 0;
};

}  // namespace shift::node
