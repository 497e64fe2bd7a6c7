#include "tools/sim/EngineModel.h"

#include <algorithm>
#include <limits>

namespace shift::sim {

namespace {

/** However much is worth keeping, an insert gets its room: no more is written again for one segment. */
constexpr int kMaxReinsertions = 16;

}  // namespace

EngineModel::EngineModel(std::uint64_t capacityBytes, std::uint32_t blocks, std::uint32_t segmentsPerBlock,
                         std::function<bool(std::uint32_t block)> onEvict)
    : capacityBytes_(capacityBytes),
      segmentsPerBlock_(segmentsPerBlock),
      onEvict_(std::move(onEvict)),
      held_(std::size_t{blocks} * segmentsPerBlock),
      groups_(blocks) {}

bool EngineModel::contains(std::uint32_t block, std::uint32_t segment) const {
  return held_[std::size_t{block} * segmentsPerBlock_ + segment].bytes > 0;
}

void EngineModel::touch(std::uint32_t block, std::uint32_t segment) {
  const std::uint32_t id = block * segmentsPerBlock_ + segment;
  Group& group = groups_[block];
  const bool wasColdest = group.coldest == id;
  if (wasColdest) {
    ranks_.erase(rankOf(block));
  }
  unlink(block, id);
  append(block, id);
  if (wasColdest) {
    ranks_.insert(rankOf(block));
  }
}

bool EngineModel::insert(std::uint32_t block, std::uint32_t segment, std::uint32_t bytes, double score) {
  if (bytes > capacityBytes_) {
    return false;
  }
  setScore(block, score);
  largest_ = std::max(largest_, bytes);
  while (usedBytes_ + bytes > capacityBytes_) {
    if (score < std::get<double>(*ranks_.begin())) {
      return false;
    }
    evictOne();
  }
  const std::uint32_t id = block * segmentsPerBlock_ + segment;
  const bool isNew = groups_[block].coldest == kNone;
  held_[id].bytes = bytes;
  usedBytes_ += bytes;
  groups_[block].score = score;
  append(block, id);
  if (isNew) {
    ranks_.insert(rankOf(block));
  }
  return true;
}

void EngineModel::setScore(std::uint32_t block, double score) {
  Group& group = groups_[block];
  if (group.coldest == kNone || group.score == score) {
    return;
  }
  ranks_.erase(rankOf(block));
  group.score = score;
  ranks_.insert(rankOf(block));
}

double EngineModel::evictionFloor() const {
  const bool hasRoom = ranks_.empty() || usedBytes_ + largest_ <= capacityBytes_;
  return hasRoom ? -std::numeric_limits<double>::infinity() : std::get<double>(*ranks_.begin());
}

EngineModel::Rank EngineModel::rankOf(std::uint32_t block) const {
  return {groups_[block].score, held_[groups_[block].coldest].lastUse, block};
}

void EngineModel::append(std::uint32_t block, std::uint32_t id) {
  Group& group = groups_[block];
  Held& held = held_[id];
  held.lastUse = ++uses_;
  held.colder = group.warmest;
  held.warmer = kNone;
  if (group.warmest == kNone) {
    group.coldest = id;
  } else {
    held_[group.warmest].warmer = id;
  }
  group.warmest = id;
}

void EngineModel::unlink(std::uint32_t block, std::uint32_t id) {
  Group& group = groups_[block];
  const Held& held = held_[id];
  if (held.colder == kNone) {
    group.coldest = held.warmer;
  } else {
    held_[held.colder].warmer = held.warmer;
  }
  if (held.warmer == kNone) {
    group.warmest = held.colder;
  } else {
    held_[held.warmer].colder = held.colder;
  }
}

void EngineModel::evictOne() {
  for (int tries = 0;; ++tries) {
    const std::uint32_t block = std::get<std::uint32_t>(*ranks_.begin());
    const std::uint32_t id = groups_[block].coldest;
    if (onEvict_ && tries < kMaxReinsertions && onEvict_(block)) {
      reinsertedBytes_ += held_[id].bytes;
      touch(block, id % segmentsPerBlock_);
      continue;
    }
    ranks_.erase(ranks_.begin());
    usedBytes_ -= held_[id].bytes;
    held_[id].bytes = 0;
    unlink(block, id);
    if (groups_[block].coldest != kNone) {
      ranks_.insert(rankOf(block));
    }
    return;
  }
}

}  // namespace shift::sim
