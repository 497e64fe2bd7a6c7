#pragma once

#include <vector>

#include "shift-node/engine/Engine.h"
#include "shift-node/engine/flash/FlashParts.h"
#include "shift-node/engine/flash/FlashWriter.h"

namespace shift::node {

/** Finds room on flash for what is to be inserted, and decides what leaves for it. Thread-safe. */
class FlashEvictor {
 public:
  FlashEvictor(FlashParts& parts, FlashWriter& writer, EvictionHook hook)
      : parts_(parts), writer_(writer), hook_(std::move(hook)) {}

  enum class Outcome { kFound, kRefused, kNoVolume };
  struct Room {
    Outcome outcome = Outcome::kRefused;
    Volume* volume = nullptr;
    std::vector<Extent> extents;  // allocated: they belong to the caller
  };
  /** Room for a segment with that score; evicts what scores no better until there is. */
  Room makeRoom(std::uint32_t units, double score);

  /** Whether some volume has room for so many units without evicting. */
  bool hasRoom(std::uint32_t units) const;

  /** The worst score held; minus infinity if nothing is. */
  double worstScore() const;

 private:
  Volume* roomiestVolume() const;
  Shard* worstShard() const;
  /** Evicts the shard's worst segment or, if the hook wants to keep it and `mayKeep`, has it written again.
   * True if it was kept. */
  bool evictFrom(Shard& shard, bool mayKeep);

  FlashParts& parts_;
  FlashWriter& writer_;
  const EvictionHook hook_;
};

}  // namespace shift::node
