#include "preload/DescriptorTable.h"

namespace shift::preload {

static_assert(sizeof(DescriptorTable::Entry) == 64);

FileIdentity identityOf(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .modifiedSeconds = status.st_mtim.tv_sec,
          .modifiedNanoseconds = status.st_mtim.tv_nsec};
}

bool DescriptorTable::find(int fd, ServedFile& file) const {
  if (!isInside(fd)) {
    return false;
  }
  const Entry& entry = entries_[fd];
  const std::uint64_t before = entry.word.load(std::memory_order_acquire);
  if (kindOf(before) != Kind::kServed) {
    return false;
  }
  file.handle = entry.handle.load(std::memory_order_relaxed);
  file.identity = {.device = entry.device.load(std::memory_order_relaxed),
                   .inode = entry.inode.load(std::memory_order_relaxed),
                   .size = entry.size.load(std::memory_order_relaxed),
                   .modifiedSeconds = entry.modifiedSeconds.load(std::memory_order_relaxed),
                   .modifiedNanoseconds = entry.modifiedNanoseconds.load(std::memory_order_relaxed)};
  // Fields of two files must never be taken for one: only if nothing changed meanwhile do they belong
  // together.
  std::atomic_thread_fence(std::memory_order_acquire);
  return entry.word.load(std::memory_order_relaxed) == before;
}

bool DescriptorTable::setPlain(int fd) {
  if (!isInside(fd)) {
    return false;
  }
  std::uint64_t word = entries_[fd].word.load(std::memory_order_relaxed);
  return kindOf(word) == Kind::kUnknown &&
         entries_[fd].word.compare_exchange_strong(word, next(word, Kind::kPlain), std::memory_order_acq_rel);
}

bool DescriptorTable::setServed(int fd, const ServedFile& file) {
  if (!isInside(fd)) {
    return false;
  }
  Entry& entry = entries_[fd];
  std::uint64_t word = entry.word.load(std::memory_order_relaxed);
  const std::uint64_t changing = next(word, Kind::kChanging);
  if (kindOf(word) != Kind::kUnknown ||
      !entry.word.compare_exchange_strong(word, changing, std::memory_order_acq_rel)) {
    return false;
  }
  std::atomic_thread_fence(std::memory_order_release);
  entry.handle.store(file.handle, std::memory_order_relaxed);
  entry.device.store(file.identity.device, std::memory_order_relaxed);
  entry.inode.store(file.identity.inode, std::memory_order_relaxed);
  entry.size.store(file.identity.size, std::memory_order_relaxed);
  entry.modifiedSeconds.store(file.identity.modifiedSeconds, std::memory_order_relaxed);
  entry.modifiedNanoseconds.store(file.identity.modifiedNanoseconds, std::memory_order_relaxed);
  entry.word.store(next(changing, Kind::kServed), std::memory_order_release);
  return true;
}

std::int64_t DescriptorTable::forget(int fd) {
  if (!isInside(fd)) {
    return 0;
  }
  Entry& entry = entries_[fd];
  std::uint64_t word = entry.word.load(std::memory_order_acquire);
  const Kind kind = kindOf(word);
  if (kind != Kind::kPlain && kind != Kind::kServed) {
    return 0;  // one that is just being recognised will be verified before it is used, as all are
  }
  const std::int64_t handle = entry.handle.load(std::memory_order_relaxed);
  const bool isOurs =
      entry.word.compare_exchange_strong(word, next(word, Kind::kUnknown), std::memory_order_acq_rel);
  return isOurs && kind == Kind::kServed ? handle : 0;
}

}  // namespace shift::preload
