#pragma once

#include <cstdint>

namespace shift::node {

/** What memory keeps of one segment on flash: 24 bytes. */
struct SegmentEntry {
  std::uint64_t isArray : 1 = 0;   // the index's own mark; 0 in every entry
  std::uint64_t lastUse : 45 = 0;  // a count of uses; at 50 000 a second it lasts 22 years
  std::uint64_t segment : 18 = 0;  // index within the block
  std::uint64_t checksum = 0;
  std::uint64_t unit : 32 = 0;  // the first unit on the device
  std::uint64_t sizeLessOne : 22 = 0;
  std::uint64_t device : 4 = 0;
  std::uint64_t isScattered : 1 = 0;  // in several runs, kept elsewhere
  std::uint64_t isWriting : 1 = 0;    // not yet on the device, or being written again

  std::uint32_t size() const { return static_cast<std::uint32_t>(sizeLessOne) + 1; }
};
static_assert(sizeof(SegmentEntry) == 24);

/** What the fields of SegmentEntry can hold. */
inline constexpr std::uint32_t kMaxSegmentsPerBlock = 1u << 18;
inline constexpr std::uint32_t kMaxDevices = 16;

}  // namespace shift::node
