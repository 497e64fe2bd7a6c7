#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>

namespace shift::preload {

/** Which file a descriptor stands for, and which version of it. */
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modifiedSeconds = 0;
  std::int64_t modifiedNanoseconds = 0;

  bool operator==(const FileIdentity&) const = default;
  bool isSameFile(const FileIdentity& other) const { return device == other.device && inode == other.inode; }
};

FileIdentity identityOf(const struct stat& status);

/** A file that is read through the client. */
struct ServedFile {
  std::int64_t handle = 0;  // the client's, at least 1
  FileIdentity identity;    // when it was recognised
};

/**
 * What is known of each descriptor, by its number. The truth is the kernel's: a descriptor may be closed and
 * its number given to another file without a word to us, so what stands here is verified before it is used.
 *
 * Nothing here waits, locks or allocates: any thread may call it, a signal handler and the child of a fork
 * too. An entry that changes while it is looked at reads as kChanging or not at all.
 */
class DescriptorTable {
 public:
  enum class Kind : std::uint64_t { kUnknown, kPlain, kServed, kChanging };

  /** Numbers from here on are always plain. */
  static constexpr int kSize = 65536;

  /** An entry; all zero bits are an unknown one. */
  struct Entry {
    std::atomic<std::uint64_t> word;  // how often it changed, and the kind
    std::atomic<std::int64_t> handle;
    std::atomic<std::uint64_t> device;
    std::atomic<std::uint64_t> inode;
    std::atomic<std::int64_t> size;
    std::atomic<std::int64_t> modifiedSeconds;
    std::atomic<std::int64_t> modifiedNanoseconds;
    std::uint64_t padding;  // to one cache line
  };

  /** Over kSize entries, zeroed, that outlive it. */
  explicit constexpr DescriptorTable(Entry* entries) : entries_(entries) {}

  Kind kindOf(int fd) const {
    return isInside(fd) ? kindOf(entries_[fd].word.load(std::memory_order_acquire)) : Kind::kPlain;
  }

  /** False unless it is a served one. */
  bool find(int fd, ServedFile& file) const;

  /** These change unknown entries only; false means that it was not, or that another thread was quicker. */
  bool setPlain(int fd);
  bool setServed(int fd, const ServedFile& file);

  /** Makes it unknown. Returns the handle if it was served, for the caller to close, else 0. */
  std::int64_t forget(int fd);

 private:
  static constexpr int kKindBits = 2;

  static constexpr Kind kindOf(std::uint64_t word) { return static_cast<Kind>(word & 3); }
  static constexpr std::uint64_t next(std::uint64_t word, Kind kind) {
    return ((word >> kKindBits) + 1) << kKindBits | static_cast<std::uint64_t>(kind);
  }
  static constexpr bool isInside(int fd) { return fd >= 0 && fd < kSize; }

  Entry* entries_;
};

}  // namespace shift::preload
