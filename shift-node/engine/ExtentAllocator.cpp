#include "shift-node/engine/ExtentAllocator.h"

#include <algorithm>
#include <bit>

namespace shift::node {

ExtentAllocator::ExtentAllocator(std::uint32_t units)
    : units_(units),
      leaves_(std::bit_ceil(std::max(1u, (units + kUnitsPerRegion - 1) / kUnitsPerRegion))),
      freeBits_(std::size_t{leaves_} * kWordsPerRegion, 0),
      longest_(std::size_t{leaves_} * 2, 0) {
  for (std::uint32_t first = 0; first < units; first += kUnitsPerRegion) {
    mark({first, std::min(kUnitsPerRegion, units - first)}, true);
  }
  finishClaims();
}

std::vector<Extent> ExtentAllocator::allocate(std::uint32_t count, std::uint32_t maxExtents) {
  std::lock_guard lock(mutex_);
  std::vector<Extent> taken;
  if (count == 0 || count > freeUnits()) {
    return taken;
  }
  std::uint32_t missing = count;
  while (missing > 0 && taken.size() < maxExtents) {
    const std::uint32_t length = std::min<std::uint32_t>(missing, longest_[1]);
    const std::uint32_t region = regionWithRun(length);
    Extent run = tightestRun(region, length);
    run.count = length;
    markAndRefresh(run, false);
    taken.push_back(run);
    missing -= length;
  }
  if (missing > 0) {
    for (const Extent& extent : taken) {
      markAndRefresh(extent, true);
    }
    taken.clear();
  }
  return taken;
}

bool ExtentAllocator::claim(Extent extent) {
  std::lock_guard lock(mutex_);
  const std::uint64_t end = std::uint64_t{extent.first} + extent.count;
  if (extent.count == 0 || end > units_ || extent.first / kUnitsPerRegion != (end - 1) / kUnitsPerRegion) {
    return false;
  }
  const Extent run = nextRun(extent.first, end);
  if (run != extent) {
    return false;
  }
  mark(extent, false);
  return true;
}

void ExtentAllocator::finishClaims() {
  std::lock_guard lock(mutex_);
  for (std::uint32_t region = 0; region < leaves_; ++region) {
    longest_[leaves_ + region] = longestRun(region);
  }
  for (std::uint32_t node = leaves_ - 1; node > 0; --node) {
    longest_[node] = std::max(longest_[2 * node], longest_[2 * node + 1]);
  }
}

void ExtentAllocator::free(Extent extent) {
  std::lock_guard lock(mutex_);
  markAndRefresh(extent, true);
}

std::uint64_t ExtentAllocator::memoryBytes() const {
  return freeBits_.size() * sizeof(freeBits_[0]) + longest_.size() * sizeof(longest_[0]);
}

std::uint32_t ExtentAllocator::regionWithRun(std::uint32_t length) const {
  std::uint32_t node = 1;
  while (node < leaves_) {
    node *= 2;
    node += longest_[node] < length ? 1 : 0;
  }
  return node - leaves_;
}

Extent ExtentAllocator::tightestRun(std::uint32_t region, std::uint32_t length) const {
  const std::uint64_t end = (std::uint64_t{region} + 1) * kUnitsPerRegion;
  Extent best;
  Extent run = nextRun(end - kUnitsPerRegion, end);
  while (run.count > 0 && best.count != length) {
    if (run.count >= length && (best.count == 0 || run.count < best.count)) {
      best = run;
    }
    run = nextRun(std::uint64_t{run.first} + run.count, end);
  }
  return best;
}

Extent ExtentAllocator::nextRun(std::uint64_t from, std::uint64_t end) const {
  std::uint64_t first = from;
  while (first < end) {
    const std::uint64_t word = freeBits_[first / 64] >> (first % 64);
    if (word != 0) {
      first += static_cast<unsigned>(std::countr_zero(word));
      break;
    }
    first = (first / 64 + 1) * 64;
  }
  std::uint64_t past = first;
  while (past < end) {
    const std::uint64_t shift = past % 64;
    const auto ones = static_cast<unsigned>(std::countr_one(freeBits_[past / 64] >> shift));
    past += ones;
    if (ones + shift < 64) {
      break;
    }
  }
  first = std::min(first, end);
  return {static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(std::min(std::max(past, first), end) - first)};
}

void ExtentAllocator::mark(Extent extent, bool isFree) {
  std::uint64_t at = extent.first;
  const std::uint64_t end = at + extent.count;
  while (at < end) {
    const std::uint64_t bit = at % 64;
    const std::uint64_t length = std::min<std::uint64_t>(64 - bit, end - at);
    const std::uint64_t mask = (length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1) << bit;
    std::uint64_t& word = freeBits_[at / 64];
    word = isFree ? word | mask : word & ~mask;
    at += length;
  }
  if (isFree) {
    freeUnits_.fetch_add(extent.count, std::memory_order_relaxed);
  } else {
    freeUnits_.fetch_sub(extent.count, std::memory_order_relaxed);
  }
}

void ExtentAllocator::markAndRefresh(Extent extent, bool isFree) {
  mark(extent, isFree);
  refresh(extent.first / kUnitsPerRegion);
}

std::uint16_t ExtentAllocator::longestRun(std::uint32_t region) const {
  const std::uint64_t end = (std::uint64_t{region} + 1) * kUnitsPerRegion;
  std::uint32_t longest = 0;
  Extent run = nextRun(end - kUnitsPerRegion, end);
  while (run.count > 0) {
    longest = std::max(longest, run.count);
    run = nextRun(std::uint64_t{run.first} + run.count, end);
  }
  return static_cast<std::uint16_t>(longest);
}

void ExtentAllocator::refresh(std::uint32_t region) {
  std::uint32_t node = leaves_ + region;
  longest_[node] = longestRun(region);
  while (node > 1) {
    node /= 2;
    longest_[node] = std::max(longest_[2 * node], longest_[2 * node + 1]);
  }
}

}  // namespace shift::node
