#include "shift-node/engine/flash/DramTier.h"

#include <limits>
#include <utility>

namespace shift::node {

SegmentRef DramTier::find(const SegmentKey& key, std::uint64_t use) {
  const auto place = places_.find(key);
  if (place == places_.end()) {
    return {};
  }
  order_.splice(order_.end(), order_, place->second);
  place->second->lastUse = use;
  return place->second->segment;
}

void DramTier::put(const SegmentKey& key, SegmentRef segment, std::uint64_t use) {
  if (places_.contains(key)) {
    return;
  }
  bytes_ += segment.size;
  order_.push_back({key, std::move(segment), use});
  places_.emplace(key, std::prev(order_.end()));
}

SegmentRef DramTier::take(const SegmentKey& key) {
  const auto place = places_.find(key);
  return place == places_.end() ? SegmentRef{} : takeAt(place->second);
}

SegmentRef DramTier::takeOldest() {
  return order_.empty() ? SegmentRef{} : takeAt(order_.begin());
}

std::uint64_t DramTier::oldestUse() const {
  return order_.empty() ? std::numeric_limits<std::uint64_t>::max() : order_.front().lastUse;
}

SegmentRef DramTier::takeAt(std::list<Held>::iterator held) {
  SegmentRef segment = std::move(held->segment);
  bytes_ -= segment.size;
  places_.erase(held->key);
  order_.erase(held);
  return segment;
}

}  // namespace shift::node
