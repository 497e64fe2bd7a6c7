#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "blocks/BlockId.h"

namespace shift::node {

/** What verify() found in good order. */
struct Verified {
  std::uint64_t segments = 0;
  std::uint64_t bytes = 0;
};
using VerifyDone = std::function<void(Verified)>;

/** All that an engine holds, for those who want to see, check or drop it. Any thread. */
class Inspection {
 public:
  virtual ~Inspection() = default;

  /** In how many parts the keys are told: no lock is held for longer than one part takes. */
  virtual std::size_t keyParts() const = 0;
  virtual std::vector<SegmentKey> keysIn(std::size_t part) const = 0;

  /**
   * Reads segments from where they survive a restart, if there is such a place, and checks them. Not a use.
   * What fails is dropped and counted as on any read; what has gone meanwhile is passed over. `done` is
   * called exactly once, on any thread.
   */
  virtual void verify(std::span<const SegmentKey> keys, VerifyDone done) = 0;
};

}  // namespace shift::node
