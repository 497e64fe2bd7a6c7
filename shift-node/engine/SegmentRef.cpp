#include "shift-node/engine/SegmentRef.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace shift::node {

std::shared_ptr<std::byte> allocateSegment(std::uint32_t size) {
  const std::size_t rounded =
      (std::size_t{size} + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  void* memory = std::aligned_alloc(kBufferAlignment, rounded);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  auto* bytes = static_cast<std::byte*>(memory);
  std::memset(bytes + size, 0, rounded - size);
  return {bytes, [](std::byte* held) { std::free(held); }};
}

SegmentRef copyTo(std::shared_ptr<std::byte> memory, const SegmentRef& segment) {
  if (memory == nullptr) {
    return {};
  }
  std::memcpy(memory.get(), segment.data.get(), segment.size);
  return {std::move(memory), segment.size, segment.checksum};
}

std::string_view toString(Tier tier) {
  return tier == Tier::kDram ? "dram" : "flash";
}

}  // namespace shift::node
