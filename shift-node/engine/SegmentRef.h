#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace shift::node {

/** Device reads and writes begin and end on multiples of this; so do segment buffers. */
inline constexpr std::size_t kBufferAlignment = 4096;

/** Where a lookup found a segment. */
enum class Tier : std::uint8_t { kDram, kFlash };

std::string_view toString(Tier tier);

/**
 * The bytes of one segment, shared and immutable. Whoever holds a reference may read, and send from, the
 * bytes for as long as it is held; an engine never writes to memory that is still referenced. Empty = no
 * segment.
 */
struct SegmentRef {
  std::shared_ptr<const std::byte> data;
  std::uint32_t size = 0;
  std::uint64_t checksum = 0;  // checksumOf(key, 0, bytes())
  Tier tier = Tier::kDram;     // of what a lookup found
  bool isVerified = true;  // false: straight from a device; nobody has compared the bytes with the checksum

  explicit operator bool() const { return data != nullptr; }
  std::span<const std::byte> bytes() const { return {data.get(), size}; }
};

/**
 * Fresh memory for one segment: aligned to kBufferAlignment, its length rounded up to a multiple of it and
 * the surplus zeroed, so that an engine can write it to a device as it is.
 */
std::shared_ptr<std::byte> allocateSegment(std::uint32_t size);

/** The segment, copied to memory that has room for it; empty if there is none. */
SegmentRef copyTo(std::shared_ptr<std::byte> memory, const SegmentRef& segment);

}  // namespace shift::node
