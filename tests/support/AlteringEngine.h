#pragma once

#include <algorithm>
#include <functional>

#include "common/Counters.h"
#include "shift-node/engine/MemoryEngine.h"

namespace shift::test {

/** Holds everything in memory, and alters what lookups return. */
class AlteringEngine final : public node::Engine {
 public:
  /** Gets a copy of the segment, which belongs to nobody else. */
  using Alter =
      std::function<std::shared_ptr<const std::byte>(std::shared_ptr<std::byte> copy, std::uint32_t size)>;

  explicit AlteringEngine(Alter alter) : alter_(std::move(alter)) {}

  void lookup(std::span<const SegmentKey> keys, node::LookupDone done) override {
    inner_.lookup(keys, [this, done](std::vector<node::SegmentRef> found) {
      for (node::SegmentRef& ref : found) {
        if (ref) {
          auto copy = node::allocateSegment(ref.size);
          std::copy_n(ref.data.get(), ref.size, copy.get());
          ref.data = alter_(std::move(copy), ref.size);
        }
      }
      done(std::move(found));
    });
  }
  std::vector<bool> probe(std::span<const SegmentKey> keys) const override { return inner_.probe(keys); }
  node::InsertOutcome insert(const SegmentKey& key, node::SegmentRef segment, double score) override {
    return inner_.insert(key, std::move(segment), score);
  }
  void remove(const SegmentKey& key) override { inner_.remove(key); }
  void setScores(std::span<const node::GroupScore> scores) override { inner_.setScores(scores); }
  double evictionFloor() const override { return inner_.evictionFloor(); }
  Status flush() override { return inner_.flush(); }
  node::EngineStatus status() const override { return inner_.status(); }
  std::size_t keyParts() const override { return inner_.keyParts(); }
  std::vector<SegmentKey> keysIn(std::size_t part) const override { return inner_.keysIn(part); }
  void verify(std::span<const SegmentKey> keys, node::VerifyDone done) override {
    inner_.verify(keys, std::move(done));
  }

 private:
  const Alter alter_;
  CounterRegistry counters_;
  node::MemoryEngine inner_{{.capacityBytes = 16 << 20}, counters_};
};

}  // namespace shift::test
