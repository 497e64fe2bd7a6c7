#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace shift::control {

/**
 * How many different things were seen in a sliding window of a few slots. Exact up to kExactLimit things;
 * beyond that HyperLogLog registers, one set per slot, with a standard error below 2 %. Whatever is seen, it
 * never holds more than kRegisters bytes per slot. Not thread-safe.
 *
 * The caller owns the meaning of slots: things are added to the newest one, and a slot is cleared before it
 * is used again.
 */
class WindowedDistinct {
 public:
  static constexpr unsigned kMaxSlots = 6;
  /** 1.04 / sqrt(2752) = 1.98 %. */
  static constexpr std::size_t kRegisters = 2752;
  static constexpr std::size_t kExactLimit = 384;

  /** `hash` is well spread over all 64 bits; equal things have equal hashes. */
  void add(std::uint64_t hash, unsigned slot);

  void clearSlot(unsigned slot);

  double estimate() const;

  std::size_t memoryBytes() const;

 private:
  using Registers = std::array<std::uint8_t, kRegisters>;

  /** The upper 60 bits of a hash and, in the lower four, the newest slot in which it was seen. 0 = free. */
  using Entry = std::uint64_t;

  void addExact(std::uint64_t hash, unsigned slot);
  void addToRegisters(std::uint64_t hash, unsigned slot);
  void rehash(std::size_t slots);
  void switchToRegisters();
  bool isExact() const { return !inRegisters_; }

  bool inRegisters_ = false;
  std::size_t entries_ = 0;
  std::vector<Entry> table_;  // open addressing, a power of two
  std::array<std::unique_ptr<Registers>, kMaxSlots> registers_;
};

}  // namespace shift::control
