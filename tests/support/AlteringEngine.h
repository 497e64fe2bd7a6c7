#pragma once

#include <algorithm>
#include <functional>

#include "common/Counters.h"
#include "shift-node/engine/MemoryEngine.h"
#include "tests/support/EngineDecorator.h"

namespace shift::test {

/** Holds everything in memory, and alters what lookups return. */
class AlteringEngine final : public EngineDecorator {
 public:
  /** Gets a copy of the segment, which belongs to nobody else. */
  using Alter =
      std::function<std::shared_ptr<const std::byte>(std::shared_ptr<std::byte> copy, std::uint32_t size)>;

  explicit AlteringEngine(Alter alter) : EngineDecorator(memory_), alter_(std::move(alter)) {}

  void lookup(std::span<const SegmentKey> keys, node::Check check, node::LookupDone done) override {
    EngineDecorator::lookup(keys, check, [this, done](std::vector<node::SegmentRef> found) {
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

 private:
  const Alter alter_;
  CounterRegistry counters_;
  node::MemoryEngine memory_{{.capacityBytes = 16 << 20}, counters_};
};

}  // namespace shift::test
