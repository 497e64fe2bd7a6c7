#include "shift-node/engine/flash/FlashEvictor.h"

#include <limits>
#include <tuple>

namespace shift::node {
namespace {

/** If the hook wants to keep all of so many in a row, the next one leaves nevertheless: an insert must end.
 */
constexpr int kMostKept = 64;

}  // namespace

FlashEvictor::Room FlashEvictor::makeRoom(std::uint32_t units, double score) {
  const bool byScore = parts_.config.mode == EvictionMode::kScore;
  int kept = 0;
  while (true) {
    Volume* const volume = roomiestVolume();
    if (volume == nullptr) {
      return {Outcome::kNoVolume, nullptr, {}};
    }
    if (volume->hasRoom(units)) {
      std::vector<Extent> extents = volume->units().allocate(units, kMaxExtents);
      if (!extents.empty()) {
        return {Outcome::kFound, volume, std::move(extents)};
      }
    }
    Shard* const shard = worstShard();
    if (shard == nullptr || (byScore && score < shard->worstScore.load(std::memory_order_relaxed))) {
      return {Outcome::kRefused, nullptr, {}};
    }
    kept += evictFrom(*shard, kept < kMostKept) ? 1 : 0;
  }
}

bool FlashEvictor::hasRoom(std::uint32_t units) const {
  const Volume* const volume = roomiestVolume();
  return volume != nullptr && volume->hasRoom(units);
}

double FlashEvictor::worstScore() const {
  const Shard* const shard = worstShard();
  return shard == nullptr ? -std::numeric_limits<double>::infinity()
                          : shard->worstScore.load(std::memory_order_relaxed);
}

Volume* FlashEvictor::roomiestVolume() const {
  Volume* roomiest = nullptr;
  for (const auto& volume : parts_.volumes) {
    if (volume->isInUse() && (roomiest == nullptr || volume->roomUnits() > roomiest->roomUnits())) {
      roomiest = volume.get();
    }
  }
  return roomiest;
}

Shard* FlashEvictor::worstShard() const {
  const auto rank = [](const Shard& shard) {
    return std::tuple(shard.worstScore.load(std::memory_order_relaxed),
                      shard.worstUse.load(std::memory_order_relaxed));
  };
  Shard* worst = nullptr;
  for (Shard& shard : parts_.shards) {
    const bool isEmpty = shard.worstUse.load(std::memory_order_relaxed) == Shard::kEmpty;
    if (!isEmpty && (worst == nullptr || rank(shard) < rank(*worst))) {
      worst = &shard;
    }
  }
  return worst;
}

bool FlashEvictor::evictFrom(Shard& shard, bool mayKeep) {
  SegmentKey key;
  FlashParts::Forgotten forgotten;
  bool isKept = false;
  {
    std::lock_guard lock(shard.mutex);
    if (!shard.index.worst()) {
      return false;
    }
    key = shard.index.worstKey();
    isKept = mayKeep && parts_.config.mode == EvictionMode::kFifo && hook_ && hook_(key);
    if (isKept) {
      shard.index.touch(key, parts_.nextUse());
      shard.publish();
    } else {
      forgotten = parts_.forgetLocked(shard, key);
    }
  }
  if (isKept) {
    parts_.counters.reinsertions.add();
    writer_.writeAgain(key);
  } else {
    parts_.counters.evictions.add();
    FlashParts::release(forgotten);
  }
  return isKept;
}

}  // namespace shift::node
