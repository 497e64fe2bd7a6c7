#include "shift-node/engine/flash/SegmentIndex.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "shift-node/engine/flash/KeyHash.h"

namespace shift::node {
namespace {

/** What the allocator of the C library adds to each block it hands out. */
constexpr std::uint64_t kAllocationOverhead = 16;

/** Grows by an eighth: doubling would leave a third of the memory unused on average. */
template <typename T>
void reserveOneMore(std::vector<T>& items) {
  if (items.size() == items.capacity()) {
    items.reserve(items.size() + items.size() / 8 + 16);
  }
}

}  // namespace

/** A block with at least one segment here: 48 bytes, and 4 for its place in the heap. */
struct SegmentIndex::Group {
  struct Many {
    // The same first two fields as SegmentEntry, so that both can be read whichever is held.
    std::uint64_t isArray : 1;
    std::uint64_t coldest : 45;  // the smallest lastUse of the entries
    SegmentEntry* entries;       // sorted by segment
    std::uint32_t count;         // more than one
    std::uint32_t capacity;
  };

  BlockId block;
  double score = 0;
  union {
    SegmentEntry one;  // a block with a single segment, as every small file is
    Many many;
  };

  Group() : one() {}

  bool isMany() const { return one.isArray; }
  std::uint64_t coldest() const { return one.lastUse; }
  std::span<SegmentEntry> entries() {
    return isMany() ? std::span(many.entries, many.count) : std::span(&one, 1);
  }

  /** Where the segment is or would be. */
  std::uint32_t lowerBound(std::uint32_t segment) {
    const auto all = entries();
    const auto at = std::lower_bound(all.begin(), all.end(), segment,
                                     [](const SegmentEntry& e, std::uint32_t s) { return e.segment < s; });
    return static_cast<std::uint32_t>(at - all.begin());
  }

  void findColdest() {
    if (isMany()) {
      std::uint64_t smallest = many.entries[0].lastUse;
      for (std::uint32_t i = 1; i < many.count; ++i) {
        smallest = std::min<std::uint64_t>(smallest, many.entries[i].lastUse);
      }
      many.coldest = smallest;
    }
  }

  /** Changes the array's capacity; returns by how many bytes memory grew. */
  std::int64_t resize(std::uint32_t capacity) {
    const std::int64_t before = isMany() ? arrayBytes(many.capacity) : 0;
    const auto old = entries();
    auto* const fresh = new SegmentEntry[capacity];
    std::copy(old.begin(), old.end(), fresh);
    const auto count = static_cast<std::uint32_t>(old.size());
    const std::uint64_t coldestUse = coldest();
    release();
    many = {1, coldestUse, fresh, count, capacity};
    return arrayBytes(capacity) - before;
  }

  void release() {
    if (isMany()) {
      delete[] many.entries;
    }
  }

  static std::int64_t arrayBytes(std::uint32_t capacity) {
    return static_cast<std::int64_t>(capacity * sizeof(SegmentEntry) + kAllocationOverhead);
  }
};

/** Groups are made in chunks, so that growing moves nothing and a reference stays good. */
struct SegmentIndex::Chunk {
  static constexpr std::uint32_t kGroups = 64;
  Group groups[kGroups];
  std::uint32_t heapPlaces[kGroups];  // of a group that is free: the next free one
};

SegmentIndex::SegmentIndex() {
  static_assert(sizeof(Chunk) == Chunk::kGroups * 52);
}

SegmentIndex::~SegmentIndex() {
  for (const std::uint32_t number : heap_) {
    group(number).release();
  }
}

SegmentEntry* SegmentIndex::find(const SegmentKey& key) {
  return const_cast<SegmentEntry*>(std::as_const(*this).find(key));
}

const SegmentEntry* SegmentIndex::find(const SegmentKey& key) const {
  const std::uint32_t number = findGroup(key.block);
  if (number == kNone) {
    return nullptr;
  }
  Group& held = group(number);
  const std::uint32_t at = held.lowerBound(key.segment);
  const auto entries = held.entries();
  return at < entries.size() && entries[at].segment == key.segment ? &entries[at] : nullptr;
}

void SegmentIndex::insert(const BlockId& block, const SegmentEntry& entry, double score) {
  std::uint32_t number = findGroup(block);
  ++segments_;
  if (number == kNone) {
    number = addGroup(block, score);
    group(number).one = entry;
    settle(number);
    return;
  }
  Group& held = group(number);
  held.score = score;
  if (!held.isMany() || held.many.count == held.many.capacity) {
    const auto count = static_cast<std::uint32_t>(held.entries().size());
    arrayBytes_ += static_cast<std::uint64_t>(held.resize(count + std::max(1u, count / 4)));
  }
  const std::uint32_t at = held.lowerBound(static_cast<std::uint32_t>(entry.segment));
  SegmentEntry* const entries = held.many.entries;
  std::memmove(entries + at + 1, entries + at, (held.many.count - at) * sizeof(SegmentEntry));
  entries[at] = entry;
  ++held.many.count;
  held.many.coldest = std::min<std::uint64_t>(held.many.coldest, entry.lastUse);
  settle(number);
}

std::optional<SegmentEntry> SegmentIndex::erase(const SegmentKey& key) {
  const SegmentEntry* const found = find(key);
  if (found == nullptr) {
    return std::nullopt;
  }
  const SegmentEntry erased = *found;
  --segments_;
  const std::uint32_t number = findGroup(key.block);
  Group& held = group(number);
  if (!held.isMany()) {
    dropGroup(number);
    return erased;
  }
  SegmentEntry* const entries = held.many.entries;
  const auto at = static_cast<std::uint32_t>(found - entries);
  std::memmove(entries + at, entries + at + 1, (held.many.count - at - 1) * sizeof(SegmentEntry));
  --held.many.count;
  if (held.many.count == 1) {
    const SegmentEntry last = entries[0];
    arrayBytes_ -= static_cast<std::uint64_t>(Group::arrayBytes(held.many.capacity));
    held.release();
    held.one = last;
  } else if (held.many.count < held.many.capacity / 2) {
    arrayBytes_ += static_cast<std::uint64_t>(held.resize(held.many.count + held.many.count / 4));
  }
  if (held.isMany() && erased.lastUse == held.many.coldest) {
    held.findColdest();
  }
  settle(number);
  return erased;
}

void SegmentIndex::touch(const SegmentKey& key, std::uint64_t use) {
  SegmentEntry* const entry = find(key);
  const std::uint32_t number = findGroup(key.block);
  Group& held = group(number);
  const bool wasColdest = entry->lastUse == held.coldest();
  entry->lastUse = use;
  if (wasColdest) {
    held.findColdest();
    settle(number);
  }
}

void SegmentIndex::rescore(const BlockId& block, double score) {
  const std::uint32_t number = findGroup(block);
  if (number != kNone && group(number).score != score) {
    group(number).score = score;
    settle(number);
  }
}

std::optional<double> SegmentIndex::scoreOf(const BlockId& block) const {
  const std::uint32_t number = findGroup(block);
  return number == kNone ? std::nullopt : std::optional<double>(group(number).score);
}

std::optional<SegmentIndex::Worst> SegmentIndex::worst() const {
  if (heap_.empty()) {
    return std::nullopt;
  }
  const Group& held = group(heap_.front());
  return Worst{held.score, held.coldest()};
}

SegmentKey SegmentIndex::worstKey() const {
  Group& held = group(heap_.front());
  const auto entries = held.entries();
  const auto coldest = std::min_element(entries.begin(), entries.end(),
                                        [](const auto& a, const auto& b) { return a.lastUse < b.lastUse; });
  return {held.block, static_cast<std::uint32_t>(coldest->segment)};
}

std::vector<SegmentKey> SegmentIndex::keys() const {
  std::vector<SegmentKey> all;
  all.reserve(segments_);
  for (const std::uint32_t number : heap_) {
    for (const SegmentEntry& entry : group(number).entries()) {
      all.push_back({group(number).block, static_cast<std::uint32_t>(entry.segment)});
    }
  }
  return all;
}

std::uint64_t SegmentIndex::memoryBytes() const {
  return chunks_.size() * (sizeof(Chunk) + kAllocationOverhead) + arrayBytes_ +
         (table_.capacity() + heap_.capacity()) * sizeof(std::uint32_t) +
         chunks_.capacity() * sizeof(chunks_[0]) + sizeof(*this);
}

SegmentIndex::Group& SegmentIndex::group(std::uint32_t number) const {
  return chunks_[number / Chunk::kGroups]->groups[number % Chunk::kGroups];
}

std::uint32_t& SegmentIndex::heapPlace(std::uint32_t number) const {
  return chunks_[number / Chunk::kGroups]->heapPlaces[number % Chunk::kGroups];
}

std::uint32_t SegmentIndex::findGroup(const BlockId& block) const {
  if (table_.empty()) {
    return kNone;
  }
  for (std::size_t at = homeOf(block);; at = at + 1 == table_.size() ? 0 : at + 1) {
    const std::uint32_t number = table_[at];
    if (number == kNone || group(number).block == block) {
      return number;
    }
  }
}

std::uint32_t SegmentIndex::addGroup(const BlockId& block, double score) {
  if (firstFree_ == kNone) {
    reserveOneMore(chunks_);
    const auto first = static_cast<std::uint32_t>(chunks_.size()) * Chunk::kGroups;
    chunks_.push_back(std::make_unique<Chunk>());
    for (std::uint32_t i = Chunk::kGroups; i-- > 0;) {
      heapPlace(first + i) = std::exchange(firstFree_, first + i);
    }
  }
  const std::uint32_t number = firstFree_;
  firstFree_ = heapPlace(number);
  Group& added = group(number);
  added.block = block;
  added.score = score;
  addToTable(number);
  reserveOneMore(heap_);
  heap_.push_back(number);
  place(heap_.size() - 1, number);
  return number;
}

void SegmentIndex::dropGroup(std::uint32_t number) {
  const std::size_t at = heapPlace(number);
  const std::uint32_t last = heap_.back();
  heap_.pop_back();
  if (last != number) {
    place(at, last);
    settle(last);
  }
  removeFromTable(group(number).block);
  heapPlace(number) = std::exchange(firstFree_, number);
}

/** Maps the upper bits of the hash onto the table, whatever its size; the lower ones chose the shard. */
std::size_t SegmentIndex::homeOf(const BlockId& block) const {
  return ((hashOf(block) >> 32) * table_.size()) >> 32;
}

void SegmentIndex::addToTable(std::uint32_t number) {
  if ((heap_.size() + 1) * 8 > table_.size() * 7) {
    growTable();
  }
  std::size_t at = homeOf(group(number).block);
  while (table_[at] != kNone) {
    at = at + 1 == table_.size() ? 0 : at + 1;
  }
  table_[at] = number;
}

/** Closes the gap by moving back whatever was pushed past it, so that no tombstones gather. */
void SegmentIndex::removeFromTable(const BlockId& block) {
  const std::size_t size = table_.size();
  std::size_t gap = homeOf(block);
  while (group(table_[gap]).block != block) {
    gap = gap + 1 == size ? 0 : gap + 1;
  }
  for (std::size_t at = gap;;) {
    at = at + 1 == size ? 0 : at + 1;
    if (table_[at] == kNone) {
      break;
    }
    const std::size_t home = homeOf(group(table_[at]).block);
    const std::size_t pushed = (at + size - home) % size;
    const std::size_t distance = (at + size - gap) % size;
    if (pushed >= distance) {
      table_[gap] = table_[at];
      gap = at;
    }
  }
  table_[gap] = kNone;
}

void SegmentIndex::growTable() {
  std::vector<std::uint32_t> larger(table_.size() + table_.size() / 8 + 32, kNone);
  table_.swap(larger);
  for (const std::uint32_t number : larger) {
    if (number != kNone) {
      std::size_t at = homeOf(group(number).block);
      while (table_[at] != kNone) {
        at = at + 1 == table_.size() ? 0 : at + 1;
      }
      table_[at] = number;
    }
  }
}

bool SegmentIndex::comesBefore(std::uint32_t left, std::uint32_t right) const {
  const Group& a = group(left);
  const Group& b = group(right);
  return std::pair(a.score, a.coldest()) < std::pair(b.score, b.coldest());
}

void SegmentIndex::place(std::size_t at, std::uint32_t number) {
  heap_[at] = number;
  heapPlace(number) = static_cast<std::uint32_t>(at);
}

void SegmentIndex::settle(std::uint32_t number) {
  std::size_t at = heapPlace(number);
  while (at > 0 && comesBefore(number, heap_[(at - 1) / 2])) {
    place(at, heap_[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  while (2 * at + 1 < heap_.size()) {
    std::size_t child = 2 * at + 1;
    if (child + 1 < heap_.size() && comesBefore(heap_[child + 1], heap_[child])) {
      ++child;
    }
    if (!comesBefore(heap_[child], number)) {
      break;
    }
    place(at, heap_[child]);
    at = child;
  }
  place(at, number);
}

}  // namespace shift::node
