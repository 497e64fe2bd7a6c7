#include "shift-node/engine/flash/SegmentIndex.h"

#include <algorithm>
#include <utility>

#include "shift-node/engine/flash/KeyHash.h"

namespace shift::node {
namespace {

constexpr std::uint32_t kChildren = 4;

bool comesBefore(const SegmentGroup& a, const SegmentGroup& b) {
  return std::pair(a.score(), a.coldest()) < std::pair(b.score(), b.coldest());
}

}  // namespace

SegmentIndex::~SegmentIndex() {
  for (std::uint32_t place = 0; place < groups_; ++place) {
    group(place).release();
  }
}

SegmentEntry* SegmentIndex::find(const SegmentKey& key) {
  return const_cast<SegmentEntry*>(std::as_const(*this).find(key));
}

const SegmentEntry* SegmentIndex::find(const SegmentKey& key) const {
  const std::uint32_t place = findGroup(key.block);
  return place == kNone ? nullptr : group(place).find(key.segment);
}

std::optional<SegmentEntry> SegmentIndex::copyOf(const SegmentKey& key) const {
  const SegmentEntry* const found = find(key);
  return found == nullptr ? std::nullopt : std::optional<SegmentEntry>(*found);
}

void SegmentIndex::insert(const BlockId& block, const SegmentEntry& entry, double score) {
  const std::uint32_t place = findGroup(block);
  ++segments_;
  if (place == kNone) {
    addGroup({block, entry, score});
    return;
  }
  SegmentGroup& held = group(place);
  arrayBytes_ -= held.arrayBytes();
  held.setScore(score);
  held.add(entry);
  arrayBytes_ += held.arrayBytes();
  settle(place);
}

std::optional<SegmentEntry> SegmentIndex::erase(const SegmentKey& key) {
  const std::uint32_t place = findGroup(key.block);
  SegmentEntry* const found = place == kNone ? nullptr : group(place).find(key.segment);
  if (found == nullptr) {
    return std::nullopt;
  }
  const SegmentEntry erased = *found;
  --segments_;
  SegmentGroup& held = group(place);
  if (held.entries().size() == 1) {
    dropGroup(place);
    return erased;
  }
  arrayBytes_ -= held.arrayBytes();
  held.erase(*found);
  arrayBytes_ += held.arrayBytes();
  settle(place);
  return erased;
}

std::optional<SegmentEntry> SegmentIndex::touch(const SegmentKey& key, std::uint64_t use) {
  const std::uint32_t place = findGroup(key.block);
  SegmentEntry* const found = place == kNone ? nullptr : group(place).find(key.segment);
  if (found == nullptr) {
    return std::nullopt;
  }
  SegmentGroup& held = group(place);
  const std::uint64_t before = held.coldest();
  held.touch(*found, use);
  const SegmentEntry touched = *found;
  if (held.coldest() != before) {
    settle(place);
  }
  return touched;
}

void SegmentIndex::rescore(const BlockId& block, double score) {
  const std::uint32_t place = findGroup(block);
  if (place != kNone && group(place).score() != score) {
    group(place).setScore(score);
    settle(place);
  }
}

std::optional<double> SegmentIndex::scoreOf(const BlockId& block) const {
  const std::uint32_t place = findGroup(block);
  return place == kNone ? std::nullopt : std::optional<double>(group(place).score());
}

std::optional<SegmentIndex::Worst> SegmentIndex::worst() const {
  if (groups_ == 0) {
    return std::nullopt;
  }
  return Worst{group(0).score(), group(0).coldest()};
}

SegmentKey SegmentIndex::worstKey() const {
  const auto entries = group(0).entries();
  const auto coldest = std::min_element(entries.begin(), entries.end(),
                                        [](const auto& a, const auto& b) { return a.lastUse < b.lastUse; });
  return {group(0).block(), static_cast<std::uint32_t>(coldest->segment)};
}

std::vector<SegmentKey> SegmentIndex::keys() const {
  std::vector<SegmentKey> all;
  all.reserve(segments_);
  for (std::uint32_t place = 0; place < groups_; ++place) {
    for (const SegmentEntry& entry : group(place).entries()) {
      all.push_back({group(place).block(), static_cast<std::uint32_t>(entry.segment)});
    }
  }
  return all;
}

std::uint64_t SegmentIndex::memoryBytes() const {
  return chunks_.size() * (sizeof(Chunk) + kAllocationOverhead) + arrayBytes_ + table_.memoryBytes() +
         chunks_.capacity() * sizeof(chunks_[0]) + sizeof(*this);
}

SegmentGroup& SegmentIndex::group(std::uint32_t place) const {
  return (*chunks_[place / kGroupsPerChunk])[place % kGroupsPerChunk];
}

std::uint64_t SegmentIndex::hashAt(std::uint32_t place) const {
  return hashOf(group(place).block());
}

std::uint32_t SegmentIndex::findGroup(const BlockId& block) const {
  return table_.find(hashOf(block), [&](std::uint32_t place) { return group(place).block() == block; });
}

void SegmentIndex::addGroup(const SegmentGroup& added) {
  if (groups_ == chunks_.size() * kGroupsPerChunk) {
    chunks_.push_back(std::make_unique<Chunk>());
  }
  const std::uint32_t place = groups_++;
  group(place) = added;
  table_.add(hashAt(place), place, [this](std::uint32_t at) { return hashAt(at); });
  settle(place);
}

void SegmentIndex::dropGroup(std::uint32_t place) {
  table_.remove(table_.slotOf(hashAt(place), place), [this](std::uint32_t at) { return hashAt(at); });
  const std::uint32_t last = --groups_;
  if (last != place) {
    move(last, place);
    settle(place);
  }
  // One chunk is kept in reserve, so that coming and going at its edge does not allocate each time.
  if (chunks_.size() * kGroupsPerChunk >= groups_ + 2 * kGroupsPerChunk) {
    chunks_.pop_back();
  }
}

void SegmentIndex::move(std::uint32_t from, std::uint32_t to) {
  table_.replace(table_.slotOf(hashAt(from), from), to);
  group(to) = group(from);
}

void SegmentIndex::settle(std::uint32_t place) {
  const SegmentGroup moving = group(place);
  const std::size_t slot = table_.slotOf(hashAt(place), place);
  while (place > 0 && comesBefore(moving, group((place - 1) / kChildren))) {
    move((place - 1) / kChildren, place);
    place = (place - 1) / kChildren;
  }
  while (place < groups_ / kChildren + 1) {
    const std::uint32_t first = place * kChildren + 1;
    const std::uint32_t end = std::min(first + kChildren, groups_);
    std::uint32_t child = first;
    for (std::uint32_t other = first + 1; other < end; ++other) {
      child = comesBefore(group(other), group(child)) ? other : child;
    }
    if (first >= end || !comesBefore(group(child), moving)) {
      break;
    }
    move(child, place);
    place = child;
  }
  group(place) = moving;
  table_.replace(slot, place);
}

}  // namespace shift::node
