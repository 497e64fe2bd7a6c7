#include "preload/Served.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <string_view>

#include "preload/Settings.h"
#include "preload/Tier.h"

namespace shift::preload {
namespace {

using Kind = DescriptorTable::Kind;

constexpr std::string_view kDeleted = " (deleted)";

/** The path as the kernel knows it: absolute, links resolved, whatever the program called it. */
bool pathOf(int fd, char (&path)[PATH_MAX]) {
  char link[32];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = ::readlink(link, path, sizeof path - 1);
  if (length <= 0) {
    return false;
  }
  path[length] = '\0';
  return true;
}

/** Only plain reading of a regular file that has a name below the prefix is for the tier. */
bool isForTheTier(int fd, const struct stat& status, char (&path)[PATH_MAX]) {
  if (!S_ISREG(status.st_mode) || status.st_size == 0 || status.st_nlink == 0 || !pathOf(fd, path)) {
    return false;
  }
  const std::string_view whole = path;
  if (pathBelow(settings().prefix, whole).empty() || whole.ends_with(kDeleted)) {
    return false;
  }
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY && (flags & (O_PATH | O_DIRECT)) == 0;
}

void raise(std::atomic<std::int32_t>& highest, int fd) {
  std::int32_t known = highest.load(std::memory_order_relaxed);
  while (known < fd && !highest.compare_exchange_weak(known, fd, std::memory_order_relaxed)) {
  }
}

/** Looks at an unknown descriptor. Plain, served, or unknown as before: then it is looked at again. */
void recognise(Process& process, int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) {
    return;
  }
  raise(process.highestEntry, fd);
  char path[PATH_MAX];
  if (!isForTheTier(fd, status, path)) {
    process.table().setPlain(fd);
    return;
  }
  if (!startTier(process)) {
    if (process.tier.load() == Process::Tier::kOff) {
      process.table().setPlain(fd);
    }
    return;
  }
  const std::int64_t handle = openInTier(process, fd, path);
  if (handle == 0) {
    process.table().setPlain(fd);
  } else if (!process.table().setServed(fd, {.handle = handle, .identity = identityOf(status)})) {
    closeInTier(process, handle);  // another thread was quicker
  }
}

}  // namespace

bool findServed(Process& process, int fd, ServedFile& file) {
  if (!process.isOwnedByCaller()) {
    return false;
  }
  // Twice: an entry may turn out to be of a file that had this number before.
  for (int i = 0; i < 2; ++i) {
    if (process.table().kindOf(fd) == Kind::kUnknown) {
      recognise(process, fd);
    }
    struct stat status {};
    if (!process.table().find(fd, file) || ::fstat(fd, &status) != 0) {
      return false;
    }
    const FileIdentity now = identityOf(status);
    if (now == file.identity) {
      return true;
    }
    release(fd);
    if (now.isSameFile(file.identity)) {
      // It is being written. What it holds from now on only the kernel knows.
      process.table().setPlain(fd);
      return false;
    }
  }
  return false;
}

void release(int fd) {
  Process* const here = process();
  if (here == nullptr || here->table().kindOf(fd) == Kind::kUnknown) {
    return;
  }
  if (here->table().kindOf(fd) == Kind::kServed && !here->isOwnedByCaller()) {
    return;
  }
  const std::int64_t handle = here->table().forget(fd);
  if (handle > 0) {
    closeInTier(*here, handle);
  }
}

void releaseRange(unsigned first, unsigned last) {
  Process* const here = process();
  if (here == nullptr) {
    return;
  }
  const auto highest = static_cast<unsigned>(here->highestEntry.load(std::memory_order_relaxed));
  for (unsigned fd = first; fd <= std::min(last, highest); ++fd) {
    release(static_cast<int>(fd));
  }
}

}  // namespace shift::preload
