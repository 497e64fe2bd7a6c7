#pragma once

#include <cstdint>

#include "control-plane/Hash.h"

namespace shift::load {

/** Holds the product of any two 64-bit numbers. */
__extension__ typedef unsigned __int128 Product;

/**
 * Random numbers that follow from their seed alone, the same on every machine: the standard library's
 * distributions are not. Cheap enough to make one for each read.
 */
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return control::mixHash(state_, count_++); }
  /** From 0 up to but without 1. */
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /** From 0 to `limit` − 1; the bias is below limit / 2⁶⁴. */
  std::uint64_t below(std::uint64_t limit) {
    return static_cast<std::uint64_t>((static_cast<Product>(next()) * limit) >> 64);
  }

 private:
  const std::uint64_t state_;
  std::uint64_t count_ = 0;
};

}  // namespace shift::load
