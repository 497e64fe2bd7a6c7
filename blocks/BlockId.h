#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace shift {

/**
 * The name of one block: a 128-bit hash of (store, path, version, block size, index). A rewritten file has
 * another version and so other blocks; nothing that is cached is ever invalidated.
 */
struct BlockId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const BlockId&) const = default;
};

/**
 * Computes the name. Client and node each compute it for themselves from the same facts, so that nobody can
 * put bytes under another's name. The result is the same on every machine and in every release: it is on
 * flash.
 */
BlockId blockIdOf(std::string_view store, std::string_view path, std::string_view version,
                  std::uint64_t blockSize, std::uint64_t blockIndex);

/** 32 hexadecimal digits. */
std::string toString(const BlockId& id);

/** One segment of one block: what a cache engine holds. */
struct SegmentKey {
  BlockId block;
  std::uint32_t segment = 0;  // index within the block

  auto operator<=>(const SegmentKey&) const = default;
};

}  // namespace shift

/** The ids are hashes already: a part of one is as good as a new hash. */
template <>
struct std::hash<shift::BlockId> {
  std::size_t operator()(const shift::BlockId& id) const noexcept { return id.low; }
};

template <>
struct std::hash<shift::SegmentKey> {
  std::size_t operator()(const shift::SegmentKey& key) const noexcept {
    return key.block.low + key.segment * 0x9e3779b97f4a7c15ULL;
  }
};
