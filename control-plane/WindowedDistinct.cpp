#include "control-plane/WindowedDistinct.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace shift::control {

namespace {

constexpr std::uint64_t kSlotBits = 0xf;

std::uint64_t hashBitsOf(std::uint64_t hash) {
  const std::uint64_t bits = hash & ~kSlotBits;
  return bits == 0 ? ~kSlotBits : bits;  // 0 marks a free place
}

}  // namespace

void WindowedDistinct::add(std::uint64_t hash, unsigned slot) {
  const std::uint64_t bits = hashBitsOf(hash);
  if (inRegisters_) {
    addToRegisters(bits, slot);
  } else {
    addExact(bits, slot);
  }
}

void WindowedDistinct::addExact(std::uint64_t hash, unsigned slot) {
  if (entries_ * 2 >= table_.size()) {
    rehash(std::max<std::size_t>(8, table_.size() * 2));
  }
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = (hash >> 32) & mask;; at = (at + 1) & mask) {
    if (table_[at] == 0) {
      table_[at] = hash | slot;
      if (++entries_ > kExactLimit) {
        switchToRegisters();
      }
      return;
    }
    if ((table_[at] & ~kSlotBits) == hash) {
      table_[at] = hash | slot;
      return;
    }
  }
}

void WindowedDistinct::addToRegisters(std::uint64_t hash, unsigned slot) {
  if (registers_[slot] == nullptr) {
    registers_[slot] = std::make_unique<Registers>();
    registers_[slot]->fill(0);
  }
  // The upper half chooses the register, the rest gives the rank: the two must not share bits.
  const std::size_t index = ((hash >> 32) * kRegisters) >> 32;
  const auto low = static_cast<std::uint32_t>(hash);
  const auto rank = static_cast<std::uint8_t>(std::min(28, std::countl_zero(low)) + 1);
  std::uint8_t& value = (*registers_[slot])[index];
  value = std::max(value, rank);
}

void WindowedDistinct::clearSlot(unsigned slot) {
  registers_[slot].reset();
  if (inRegisters_) {
    const bool empty = std::ranges::all_of(registers_, [](const auto& set) { return set == nullptr; });
    inRegisters_ = !empty;
    return;
  }
  const bool any =
      std::ranges::any_of(table_, [&](Entry entry) { return entry != 0 && (entry & kSlotBits) == slot; });
  if (!any) {
    return;
  }
  for (Entry& entry : table_) {
    if ((entry & kSlotBits) == slot) {
      entry = 0;
    }
  }
  rehash(table_.size());
}

void WindowedDistinct::rehash(std::size_t slots) {
  std::vector<Entry> old(slots);
  old.swap(table_);
  entries_ = 0;
  const std::size_t mask = slots - 1;
  for (const Entry entry : old) {
    if (entry != 0) {
      std::size_t at = (entry >> 32) & mask;
      while (table_[at] != 0) {
        at = (at + 1) & mask;
      }
      table_[at] = entry;
      ++entries_;
    }
  }
}

void WindowedDistinct::switchToRegisters() {
  for (const Entry entry : table_) {
    if (entry != 0) {
      addToRegisters(entry & ~kSlotBits, entry & kSlotBits);
    }
  }
  inRegisters_ = true;
  entries_ = 0;
  std::vector<Entry>().swap(table_);  // gives the memory back, as an assignment would not
}

double WindowedDistinct::estimate() const {
  if (isExact()) {
    return static_cast<double>(entries_);
  }
  Registers merged{};
  for (const auto& set : registers_) {
    if (set != nullptr) {
      for (std::size_t i = 0; i < kRegisters; ++i) {
        merged[i] = std::max(merged[i], (*set)[i]);
      }
    }
  }
  std::array<std::uint32_t, 32> registersWithRank{};
  for (const std::uint8_t rank : merged) {
    ++registersWithRank[rank];
  }
  double sum = 0;
  for (unsigned rank = 0; rank < registersWithRank.size(); ++rank) {
    sum += std::ldexp(registersWithRank[rank], -static_cast<int>(rank));
  }
  constexpr double kCount = kRegisters;
  constexpr double kAlpha = 0.7213 / (1 + 1.079 / kCount);
  const double raw = kAlpha * kCount * kCount / sum;
  if (raw <= 2.5 * kCount && registersWithRank[0] > 0) {
    return kCount * std::log(kCount / registersWithRank[0]);  // linear counting is better while few are set
  }
  return raw;
}

std::size_t WindowedDistinct::memoryBytes() const {
  std::size_t bytes = sizeof(*this) + table_.capacity() * sizeof(Entry);
  for (const auto& set : registers_) {
    bytes += set == nullptr ? 0 : sizeof(Registers);
  }
  return bytes;
}

}  // namespace shift::control
