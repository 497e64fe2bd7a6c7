#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "blocks/BlockId.h"

namespace shift::control {

/** Spreads every bit of `value` over all bits of the result (the finaliser of splitmix64). */
inline std::uint64_t spreadBits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

inline std::uint64_t mixHash(std::uint64_t left, std::uint64_t right) {
  return spreadBits(left ^ spreadBits(right));
}

/** Good within one process only. */
inline std::uint64_t hashText(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

inline std::uint64_t hashSegment(const BlockId& block, std::uint32_t segment) {
  return spreadBits(block.high ^ (block.low + segment * 0x9e3779b97f4a7c15ULL));
}

}  // namespace shift::control
