#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shift::node {

/**
 * An open-addressed hash table of 4-byte numbers: of places in some array, whose owner knows what lies there.
 * It keeps no keys, so its functions take the hash of what is looked for, and what they need to know of a
 * number they ask its owner. Uses the upper half of a hash. Not thread-safe.
 */
class NumberTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /** The number with this hash that `isIt` says yes to, or kNone. */
  template <typename IsIt>
  std::uint32_t find(std::uint64_t hash, IsIt isIt) const {
    if (slots_.empty()) {
      return kNone;
    }
    for (std::size_t slot = homeOf(hash);; slot = after(slot)) {
      const std::uint32_t number = slots_[slot];
      if (number == kNone || isIt(number)) {
        return number;
      }
    }
  }

  /** The slot of a number that is there, good until the next add() or remove(). */
  std::size_t slotOf(std::uint64_t hash, std::uint32_t number) const {
    std::size_t slot = homeOf(hash);
    while (slots_[slot] != number) {
      slot = after(slot);
    }
    return slot;
  }
  void replace(std::size_t slot, std::uint32_t number) { slots_[slot] = number; }

  /** `hashOf` tells the hash of a number that is there. */
  template <typename HashOf>
  void add(std::uint64_t hash, std::uint32_t number, HashOf hashOf) {
    if ((count_ + 1) * 8 > slots_.size() * 7) {
      grow(hashOf);
    }
    put(hash, number);
    ++count_;
  }

  /** Closes the gap by moving back whatever was pushed past it, so that no tombstones gather. */
  template <typename HashOf>
  void remove(std::size_t gap, HashOf hashOf) {
    const std::size_t size = slots_.size();
    for (std::size_t slot = after(gap); slots_[slot] != kNone; slot = after(slot)) {
      const std::size_t pushed = (slot + size - homeOf(hashOf(slots_[slot]))) % size;
      const std::size_t distance = (slot + size - gap) % size;
      if (pushed >= distance) {
        slots_[gap] = slots_[slot];
        gap = slot;
      }
    }
    slots_[gap] = kNone;
    --count_;
  }

  std::uint64_t memoryBytes() const { return slots_.capacity() * sizeof(std::uint32_t); }

 private:
  std::size_t homeOf(std::uint64_t hash) const { return ((hash >> 32) * slots_.size()) >> 32; }
  std::size_t after(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

  void put(std::uint64_t hash, std::uint32_t number) {
    std::size_t slot = homeOf(hash);
    while (slots_[slot] != kNone) {
      slot = after(slot);
    }
    slots_[slot] = number;
  }

  /** By an eighth: doubling would leave a third of the memory unused on average. */
  template <typename HashOf>
  void grow(HashOf hashOf) {
    std::vector<std::uint32_t> old(slots_.size() + slots_.size() / 8 + 32, kNone);
    slots_.swap(old);
    for (const std::uint32_t number : old) {
      if (number != kNone) {
        put(hashOf(number), number);
      }
    }
  }

  std::vector<std::uint32_t> slots_;
  std::size_t count_ = 0;
};

}  // namespace shift::node
