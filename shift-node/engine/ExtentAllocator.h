#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace shift::node {

/** A run of neighbouring units. */
struct Extent {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  bool operator==(const Extent&) const = default;
};

/**
 * Which units of a device or an arena are free. A request is served by one run where there is one (the
 * tightest fit in the first region that has any), else by the fewest and largest runs there are: space is
 * never lost to fragmentation, and pieces stay large.
 *
 * One bit per unit, and a tree over regions of 16 MiB that finds a region with a run of a given length in
 * logarithmic time. A run never crosses a region's border. Thread-safe.
 */
class ExtentAllocator {
 public:
  explicit ExtentAllocator(std::uint32_t units);

  /** `count` units in at most `maxExtents` runs; empty if that cannot be had. */
  std::vector<Extent> allocate(std::uint32_t count, std::uint32_t maxExtents);

  /** Takes exactly this run, if it lies inside and all of it is free. For recovery, which claims millions:
   * after the last one, and before anything else, finishClaims() takes stock once. */
  bool claim(Extent extent);
  void finishClaims();

  void free(Extent extent);

  std::uint32_t freeUnits() const { return freeUnits_.load(std::memory_order_relaxed); }
  std::uint64_t memoryBytes() const;

 private:
  static constexpr std::uint32_t kUnitsPerRegion = 4096;
  static constexpr std::uint32_t kWordsPerRegion = kUnitsPerRegion / 64;

  // All private functions are called with mutex_ held.
  std::uint32_t regionWithRun(std::uint32_t length) const;
  Extent tightestRun(std::uint32_t region, std::uint32_t length) const;
  /** The first run of free units in [from, end), cut at `end`; of length 0 if there is none. */
  Extent nextRun(std::uint64_t from, std::uint64_t end) const;
  void mark(Extent extent, bool isFree);
  void markAndRefresh(Extent extent, bool isFree);
  std::uint16_t longestRun(std::uint32_t region) const;
  void refresh(std::uint32_t region);

  const std::uint32_t units_;
  const std::uint32_t leaves_;  // regions, rounded up to a power of two
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> freeBits_;  // 1 = free
  std::vector<std::uint16_t> longest_;   // a heap-shaped tree: node i is the larger of 2i and 2i + 1
  std::atomic<std::uint32_t> freeUnits_{0};
};

}  // namespace shift::node
