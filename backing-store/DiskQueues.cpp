#include "backing-store/DiskQueues.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "common/FileDescriptor.h"

namespace shift::store {
namespace {

/** A file begins with this; the disks follow, eight bytes each, zero where nothing was ever booked. */
constexpr std::uint64_t kMagic = 0x5348494654445131;  // "SHIFTDQ1"

Status makeOrCheck(int fd, const std::string& path, std::uint32_t disks, std::size_t bytes) {
  struct stat found {};
  if (::fstat(fd, &found) != 0) {
    return Error::fromErrno(errno, "looking at " + path);
  }
  if (found.st_size == 0) {
    const bool isMade = ::ftruncate(fd, static_cast<off_t>(bytes)) == 0 &&
                        ::pwrite(fd, &kMagic, sizeof kMagic, 0) == sizeof kMagic;
    return isMade ? Status() : Status(Error::fromErrno(errno, "making " + path));
  }
  std::uint64_t magic = 0;
  if (::pread(fd, &magic, sizeof magic, 0) != sizeof magic || magic != kMagic) {
    return Error{ErrorCode::kInvalidArgument,
                 path + ": is there, and holds no queues of disks; name another"};
  }
  if (static_cast<std::size_t>(found.st_size) != bytes) {
    const auto there = static_cast<std::size_t>(found.st_size) / sizeof(std::uint64_t) - 1;
    return Error{ErrorCode::kInvalidArgument, path + ": is of " + std::to_string(there) + " disks, not of " +
                                                  std::to_string(disks) +
                                                  "; all who share it must have as many"};
  }
  return {};
}

}  // namespace

DiskQueues::DiskQueues(std::uint32_t disks) {
  const std::shared_ptr<FreeAt[]> own(new FreeAt[disks]);
  freeAt_ = {own.get(), disks};
  for (FreeAt& disk : freeAt_) {
    disk = std::numeric_limits<Duration::rep>::min();
  }
  memory_ = own;
}

Result<DiskQueues> DiskQueues::shared(const std::string& path, std::uint32_t disks) {
  const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  // The lock is for those who start together.
  if (!file.valid() || ::flock(file.get(), LOCK_EX) != 0) {
    return Error::fromErrno(errno, "opening " + path);
  }
  const std::size_t bytes = sizeof kMagic + std::size_t{disks} * sizeof(FreeAt);
  const Status usable = makeOrCheck(file.get(), path, disks, bytes);
  ::flock(file.get(), LOCK_UN);  // by hand: the mapping would keep it after the file is closed
  if (!usable) {
    return usable.error();
  }
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (mapped == MAP_FAILED) {
    return Error::fromErrno(errno, "mapping " + path);
  }
  std::shared_ptr<void> memory(mapped, [bytes](void* address) { ::munmap(address, bytes); });
  auto* const first = reinterpret_cast<FreeAt*>(static_cast<std::byte*>(mapped) + sizeof kMagic);
  return DiskQueues(std::move(memory), {first, disks});
}

DiskBooking DiskQueues::book(std::uint32_t disk, TimePoint arrival, Duration service) {
  FreeAt& freeAt = freeAt_[disk];
  Duration::rep free = freeAt.load();
  for (;;) {
    const TimePoint begin = std::max(arrival, TimePoint(Duration(free)));
    const TimePoint end = begin + service;
    if (freeAt.compare_exchange_weak(free, end.time_since_epoch().count())) {
      return {begin, end};
    }
  }
}

}  // namespace shift::store
