#include "preload/OwnDescriptors.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "preload/Process.h"
#include "preload/RealCalls.h"

namespace shift::preload {
namespace {

constexpr unsigned kBits = 64;
constexpr unsigned kWords = DescriptorTable::kSize / kBits;

/** In ordinary memory, unlike Process: the child of a fork must know what to close. */
std::atomic<std::uint64_t> ownBits[kWords];

std::uint64_t bitOf(int fd) {
  return std::uint64_t{1} << (static_cast<unsigned>(fd) % kBits);
}

std::atomic<std::uint64_t>& wordOf(int fd) {
  return ownBits[static_cast<unsigned>(fd) / kBits];
}

int limitOfDescriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, DescriptorTable::kSize));
}

void take(int fd) {
  wordOf(fd).fetch_or(bitOf(fd), std::memory_order_relaxed);
  if (Process* const here = process()) {
    here->ownDescriptors.fetch_add(1, std::memory_order_relaxed);
  }
}

/** Among the high numbers, or -1. Not the highest: each fork copies the kernel's table up to them. */
int duplicateAbove(int fd, int limit) {
  constexpr int kHighEnough = 4096;
  const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, std::min(limit / 2, kHighEnough));
  if (high >= DescriptorTable::kSize) {
    real().close(high);
    return -1;
  }
  return high;
}

}  // namespace

bool isOwn(int fd) {
  return fd >= 0 && fd < DescriptorTable::kSize &&
         (wordOf(fd).load(std::memory_order_relaxed) & bitOf(fd)) != 0;
}

int moveOut(int fd) {
  if (fd < 0 || fd >= DescriptorTable::kSize) {
    return fd;
  }
  const int high = duplicateAbove(fd, limitOfDescriptors());
  if (high < 0) {
    take(fd);
    return fd;
  }
  take(high);
  real().close(fd);
  return high;
}

int duplicateOut(int fd) {
  Process* const here = process();
  const int limit = limitOfDescriptors();
  // The program counts on its limit: a quarter of it is ours, at most.
  if (here == nullptr || here->ownDescriptors.load(std::memory_order_relaxed) >= limit / 4) {
    return -1;
  }
  const int high = duplicateAbove(fd, limit);
  if (high >= 0) {
    take(high);
  }
  return high;
}

void disown(int fd) {
  if (isOwn(fd) && (wordOf(fd).fetch_and(~bitOf(fd), std::memory_order_relaxed) & bitOf(fd)) != 0) {
    if (Process* const here = process()) {
      here->ownDescriptors.fetch_sub(1, std::memory_order_relaxed);
    }
  }
}

void closeInherited() {
  for (unsigned i = 0; i < kWords; ++i) {
    for (std::uint64_t left = ownBits[i].exchange(0, std::memory_order_relaxed); left != 0;
         left &= left - 1) {
      real().close(static_cast<int>(i * kBits) + std::countr_zero(left));
    }
  }
}

int nextOwn(unsigned from) {
  for (unsigned i = from / kBits; i < kWords; ++i) {
    const std::uint64_t before = i == from / kBits ? (std::uint64_t{1} << (from % kBits)) - 1 : 0;
    const std::uint64_t left = ownBits[i].load(std::memory_order_relaxed) & ~before;
    if (left != 0) {
      return static_cast<int>(i * kBits) + std::countr_zero(left);
    }
  }
  return -1;
}

}  // namespace shift::preload
