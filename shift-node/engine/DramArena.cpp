#include "shift-node/engine/DramArena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "shift-node/engine/SegmentRef.h"

namespace shift::node {

/** Shared by the arena and by every piece that is out. */
class DramArena::Mapping {
 public:
  explicit Mapping(std::uint64_t bytes)
      : bytes_(std::max<std::uint64_t>(bytes, 1)),  // nothing cannot be mapped
        units_(static_cast<std::uint32_t>(bytes / kBufferAlignment)) {
    void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw std::bad_alloc();
    }
    ::madvise(memory, bytes_, MADV_HUGEPAGE);  // only advice: fewer page faults and TLB misses
    base_ = static_cast<std::byte*>(memory);
  }
  ~Mapping() { ::munmap(base_, bytes_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::byte* at(const Extent& extent) const { return base_ + std::uint64_t{extent.first} * kBufferAlignment; }
  std::span<std::byte> memory() const { return {base_, bytes_}; }
  ExtentAllocator& units() { return units_; }

 private:
  const std::uint64_t bytes_;
  std::byte* base_ = nullptr;
  ExtentAllocator units_;
};

DramArena::DramArena(std::uint64_t bytes) : mapping_(std::make_shared<Mapping>(bytes)) {}

std::shared_ptr<std::byte> DramArena::allocate(std::uint32_t size) {
  const std::uint32_t count = (size + kBufferAlignment - 1) / kBufferAlignment;
  const std::vector<Extent> run = mapping_->units().allocate(count, 1);
  if (run.empty()) {
    return nullptr;
  }
  const Extent extent = run.front();
  std::byte* const begin = mapping_->at(extent);
  std::memset(begin + size, 0, std::size_t{count} * kBufferAlignment - size);
  return {begin, [mapping = mapping_, extent](std::byte*) { mapping->units().free(extent); }};
}

bool DramArena::contains(const std::byte* memory) const {
  const std::span<std::byte> all = mapping_->memory();
  return memory >= all.data() && memory < all.data() + all.size();
}

std::span<std::byte> DramArena::memory() const {
  return mapping_->memory();
}

std::uint64_t DramArena::freeBytes() const {
  return std::uint64_t{mapping_->units().freeUnits()} * kBufferAlignment;
}

}  // namespace shift::node
