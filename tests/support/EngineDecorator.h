#pragma once

#include "shift-node/engine/Engine.h"

namespace shift::test {

/** Passes everything on to another engine, which it borrows. Tests override what they want to be otherwise.
 */
class EngineDecorator : public node::Engine {
 public:
  explicit EngineDecorator(node::Engine& inner) : inner_(inner) {}

  void lookup(std::span<const SegmentKey> keys, node::Check check, node::LookupDone done) override {
    inner_.lookup(keys, check, std::move(done));
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
  node::Engine& inner_;
};

}  // namespace shift::test
