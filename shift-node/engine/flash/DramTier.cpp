#include "shift-node/engine/flash/DramTier.h"

#include <limits>
#include <utility>

#include "shift-node/engine/flash/KeyHash.h"

namespace shift::node {

SegmentRef DramTier::find(const SegmentKey& key, std::uint64_t use) {
  const std::uint32_t place = placeOf(key);
  if (place == kNone) {
    return {};
  }
  held_[place].lastUse = use;
  if (place != newest_) {
    unlink(place);
    link(place);
  }
  return held_[place].segment;
}

void DramTier::put(const SegmentKey& key, SegmentRef segment, std::uint64_t use) {
  if (contains(key)) {
    return;
  }
  const auto place = static_cast<std::uint32_t>(held_.size());
  bytes_ += segment.size;
  held_.push_back({key, std::move(segment), use});
  table_.add(hashOf(key), place, [this](std::uint32_t at) { return hashOf(held_[at].key); });
  link(place);
}

void DramTier::markVerified(const SegmentKey& key, const SegmentRef& segment) {
  if (const std::uint32_t place = placeOf(key, segment); place != kNone) {
    held_[place].segment.isVerified = true;
  }
}

SegmentRef DramTier::take(const SegmentKey& key) {
  const std::uint32_t place = placeOf(key);
  return place == kNone ? SegmentRef{} : takeAt(place);
}

SegmentRef DramTier::takeOldest() {
  return oldest_ == kNone ? SegmentRef{} : takeAt(oldest_);
}

std::uint64_t DramTier::oldestUse() const {
  return oldest_ == kNone ? std::numeric_limits<std::uint64_t>::max() : held_[oldest_].lastUse;
}

std::uint32_t DramTier::placeOf(const SegmentKey& key) const {
  return table_.find(hashOf(key), [&](std::uint32_t at) { return held_[at].key == key; });
}

std::uint32_t DramTier::placeOf(const SegmentKey& key, const SegmentRef& segment) const {
  const std::uint32_t place = placeOf(key);
  return place != kNone && held_[place].segment.data == segment.data ? place : kNone;
}

SegmentRef DramTier::takeAt(std::uint32_t place) {
  const auto hashAt = [this](std::uint32_t at) { return hashOf(held_[at].key); };
  unlink(place);
  table_.remove(table_.slotOf(hashAt(place), place), hashAt);
  SegmentRef segment = std::move(held_[place].segment);
  bytes_ -= segment.size;
  const auto last = static_cast<std::uint32_t>(held_.size()) - 1;
  if (place != last) {
    table_.replace(table_.slotOf(hashAt(last), last), place);
    held_[place] = std::move(held_[last]);
    newerThan(held_[place].older) = place;
    olderThan(held_[place].newer) = place;
  }
  held_.pop_back();
  return segment;
}

/** As the newest. */
void DramTier::link(std::uint32_t place) {
  held_[place].older = newest_;
  held_[place].newer = kNone;
  newerThan(newest_) = place;
  newest_ = place;
}

void DramTier::unlink(std::uint32_t place) {
  newerThan(held_[place].older) = held_[place].newer;
  olderThan(held_[place].newer) = held_[place].older;
}

std::vector<SegmentKey> DramTier::keys() const {
  std::vector<SegmentKey> keys;
  keys.reserve(held_.size());
  for (const Held& held : held_) {
    keys.push_back(held.key);
  }
  return keys;
}

}  // namespace shift::node
