#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "shift-node/engine/flash/Device.h"

namespace shift::node {

/** Zeroed memory that a device can read and write: aligned, a whole number of units. */
class AlignedBuffer {
 public:
  explicit AlignedBuffer(std::size_t bytes)
      : memory_(static_cast<std::byte*>(std::aligned_alloc(kUnitBytes, bytes))), size_(bytes) {
    if (!memory_) {
      throw std::bad_alloc();
    }
    std::memset(memory_.get(), 0, bytes);
  }

  std::span<std::byte> bytes() { return {memory_.get(), size_}; }
  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_;
};

}  // namespace shift::node
