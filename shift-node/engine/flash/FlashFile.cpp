#include "shift-node/engine/flash/FlashFile.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <thread>

#include "common/ByteSize.h"
#include "shift-node/engine/flash/Device.h"

namespace shift::node {
namespace {

constexpr mode_t kOwnerOnly = 0600;

Error refusal(ErrorCode code, const std::string& path, const std::string& reason) {
  return {code, "flash file " + path + ": " + reason};
}

bool lockWithin(int fd, Duration patience) {
  constexpr Duration kPause = std::chrono::milliseconds(10);
  for (; ::flock(fd, LOCK_EX | LOCK_NB) != 0; patience -= kPause) {
    if (patience <= Duration(0)) {
      return false;
    }
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

Result<std::uint64_t> sizeOfBlockDevice(int fd, const std::string& path) {
  std::uint64_t bytes = 0;
  if (::ioctl(fd, BLKGETSIZE64, &bytes) != 0) {
    return Error::fromErrno(errno, "size of " + path);
  }
  return bytes / kUnitBytes * kUnitBytes;
}

/** Gives a regular file its size with every byte backed by the disk. */
Status allocate(int fd, const std::string& path, const struct stat& info, std::uint64_t bytes) {
  struct statvfs disk {};
  if (::fstatvfs(fd, &disk) != 0) {
    return Error::fromErrno(errno, "free space for " + path);
  }
  const std::uint64_t held = static_cast<std::uint64_t>(info.st_blocks) * 512;
  const std::uint64_t available = disk.f_bavail * disk.f_frsize + held;
  if (bytes > available) {
    return refusal(ErrorCode::kExhausted, path,
                   "its size " + formatExactByteSize(bytes) + " is larger than what the disk has left, " +
                       formatByteSize(static_cast<double>(available)));
  }
  if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    return Error::fromErrno(errno, "sizing " + path);
  }
  const int error = ::fallocate(fd, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  // A file system without fallocate keeps a sparse file: a full disk then shows up as failed writes.
  if (error != 0 && error != EOPNOTSUPP) {
    return Error::fromErrno(error, "allocating " + formatExactByteSize(bytes) + " for " + path);
  }
  return {};
}

}  // namespace

Result<FlashFile> FlashFile::open(const FlashFileConfig& config) {
  if (config.bytes % kUnitBytes != 0) {
    return refusal(ErrorCode::kInvalidArgument, config.path,
                   "its size " + std::to_string(config.bytes) + " is not a multiple of 4 KiB");
  }
  const int flags = O_RDWR | O_CLOEXEC | (config.bytes > 0 ? O_CREAT : 0);
  bool isDirect = true;
  FileDescriptor descriptor(::open(config.path.c_str(), flags | O_DIRECT, kOwnerOnly));
  if (!descriptor.valid() && errno == EINVAL) {
    isDirect = false;
    descriptor = FileDescriptor(::open(config.path.c_str(), flags, kOwnerOnly));
  }
  if (!descriptor.valid()) {
    return Error::fromErrno(errno, "opening flash file " + config.path);
  }
  if (!lockWithin(descriptor.get(), config.lockPatience)) {
    return refusal(ErrorCode::kAlreadyExists, config.path, "in use by another process");
  }
  struct stat info {};
  if (::fstat(descriptor.get(), &info) != 0) {
    return Error::fromErrno(errno, "inspecting " + config.path);
  }
  if (S_ISBLK(info.st_mode)) {
    const Result<std::uint64_t> whole = sizeOfBlockDevice(descriptor.get(), config.path);
    if (!whole) {
      return whole.error();
    }
    if (config.bytes > *whole) {
      return refusal(ErrorCode::kExhausted, config.path,
                     "its size " + formatExactByteSize(config.bytes) + " is larger than the device, " +
                         formatExactByteSize(*whole));
    }
    return FlashFile(std::move(descriptor), config.path, config.bytes > 0 ? config.bytes : *whole, isDirect);
  }
  if (!S_ISREG(info.st_mode)) {
    return refusal(ErrorCode::kInvalidArgument, config.path, "neither a file nor a block device");
  }
  const auto existing = static_cast<std::uint64_t>(info.st_size) / kUnitBytes * kUnitBytes;
  const std::uint64_t bytes = config.bytes > 0 ? config.bytes : existing;
  if (const Status status = allocate(descriptor.get(), config.path, info, bytes); !status) {
    return status.error();
  }
  return FlashFile(std::move(descriptor), config.path, bytes, isDirect);
}

Status FlashFile::sync() const {
  if (::fdatasync(descriptor_.get()) != 0) {
    return Error::fromErrno(errno, "syncing " + path_);
  }
  return {};
}

}  // namespace shift::node
