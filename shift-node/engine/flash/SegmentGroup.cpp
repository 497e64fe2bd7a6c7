#include "shift-node/engine/flash/SegmentGroup.h"

#include <algorithm>
#include <cstring>

namespace shift::node {
SegmentEntry* SegmentGroup::find(std::uint32_t segment) {
  const std::uint32_t at = lowerBound(segment);
  const auto all = entries();
  return at < all.size() && all[at].segment == segment ? &all[at] : nullptr;
}

void SegmentGroup::add(const SegmentEntry& entry) {
  if (!isMany() || many_.count == many_.capacity) {
    const auto count = static_cast<std::uint32_t>(entries().size());
    resize(count + std::max(1u, count / 4));
  }
  const std::uint32_t at = lowerBound(static_cast<std::uint32_t>(entry.segment));
  SegmentEntry* const all = many_.entries;
  std::memmove(all + at + 1, all + at, (many_.count - at) * sizeof(SegmentEntry));
  all[at] = entry;
  ++many_.count;
  many_.coldest = std::min<std::uint64_t>(many_.coldest, entry.lastUse);
}

void SegmentGroup::erase(const SegmentEntry& entry) {
  const std::uint64_t lastUse = entry.lastUse;
  SegmentEntry* const all = many_.entries;
  const auto at = static_cast<std::uint32_t>(&entry - all);
  std::memmove(all + at, all + at + 1, (many_.count - at - 1) * sizeof(SegmentEntry));
  --many_.count;
  if (many_.count == 1) {
    const SegmentEntry last = all[0];
    release();
    one_ = last;
    return;
  }
  if (many_.count < many_.capacity / 2) {
    resize(many_.count + many_.count / 4);
  }
  if (lastUse == many_.coldest) {
    findColdest();
  }
}

void SegmentGroup::touch(SegmentEntry& entry, std::uint64_t use) {
  const bool wasColdest = entry.lastUse == coldest();
  entry.lastUse = use;
  if (wasColdest) {
    findColdest();
  }
}

std::uint64_t SegmentGroup::arrayBytes() const {
  return isMany() ? many_.capacity * sizeof(SegmentEntry) + kAllocationOverhead : 0;
}

void SegmentGroup::release() {
  if (isMany()) {
    delete[] many_.entries;
  }
}

/** Where the segment is or would be. */
std::uint32_t SegmentGroup::lowerBound(std::uint32_t segment) {
  const auto all = entries();
  const auto at = std::lower_bound(all.begin(), all.end(), segment,
                                   [](const SegmentEntry& e, std::uint32_t s) { return e.segment < s; });
  return static_cast<std::uint32_t>(at - all.begin());
}

void SegmentGroup::findColdest() {
  if (isMany()) {
    std::uint64_t smallest = many_.entries[0].lastUse;
    for (std::uint32_t i = 1; i < many_.count; ++i) {
      smallest = std::min<std::uint64_t>(smallest, many_.entries[i].lastUse);
    }
    many_.coldest = smallest;
  }
}

void SegmentGroup::resize(std::uint32_t capacity) {
  const auto old = entries();
  auto* const fresh = new SegmentEntry[capacity];
  std::copy(old.begin(), old.end(), fresh);
  const auto count = static_cast<std::uint32_t>(old.size());
  const std::uint64_t coldestUse = coldest();
  release();
  many_ = {1, coldestUse, fresh, count, capacity};
}

}  // namespace shift::node
