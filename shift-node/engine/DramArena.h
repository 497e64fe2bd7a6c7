#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "shift-node/engine/ExtentAllocator.h"

namespace shift::node {

/**
 * The memory in which segments are held: one range, mapped once, so that the kernel can be told of it in
 * advance, cut into pieces of whole units. What a piece is used for is up to its holder; it returns when the
 * last reference goes, even after the arena object itself is gone. Thread-safe.
 */
class DramArena {
 public:
  /** Throws std::bad_alloc if the range cannot be mapped. */
  explicit DramArena(std::uint64_t bytes);

  /** Room for `size` bytes, aligned to a unit, the surplus to a whole unit zeroed; nothing if no run is long
   * enough. */
  std::shared_ptr<std::byte> allocate(std::uint32_t size);

  /** Whether it is memory of this arena. */
  bool contains(const std::byte* memory) const;

  std::span<std::byte> memory() const;
  std::uint64_t freeBytes() const;

 private:
  class Mapping;
  std::shared_ptr<Mapping> mapping_;
};

}  // namespace shift::node
