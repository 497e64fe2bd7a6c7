#include "preload/CopyRange.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "preload/Reads.h"
#include "preload/RealCalls.h"
#include "preload/Served.h"

namespace shift::preload {
namespace {

/** One piece is copied per call: callers go on until nothing is left, as they must with the kernel's. */
constexpr size_t kPiece = 1024 * 1024;

/** What the kernel would refuse, it is left to refuse. */
bool canBeWrittenTo(int to) {
  struct stat status {};
  const int flags = ::fcntl(to, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && (flags & (O_APPEND | O_DIRECT)) == 0 &&
         ::fstat(to, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t writeAll(int to, const char* bytes, size_t count, off_t* offset) {
  size_t done = 0;
  while (done < count) {
    const ssize_t put = offset == nullptr
                            ? ::write(to, bytes + done, count - done)
                            : ::pwrite(to, bytes + done, count - done, *offset + static_cast<off_t>(done));
    if (put < 0 && errno != EINTR) {
      return done > 0 ? static_cast<ssize_t>(done) : -1;
    }
    done += static_cast<size_t>(std::max<ssize_t>(put, 0));
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

ssize_t copyRange(int from, off_t* fromOffset, int to, off_t* toOffset, size_t length, unsigned flags) {
  Process* const here = process();
  ServedFile file;
  if (flags != 0 || length == 0 || (fromOffset != nullptr && *fromOffset < 0) ||
      (toOffset != nullptr && *toOffset < 0) || here == nullptr || !findServed(*here, from, file) ||
      !canBeWrittenTo(to)) {
    return real().copyFileRange(from, fromOffset, to, toOffset, length, flags);
  }
  void* const piece = ::mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (piece == MAP_FAILED) {
    return real().copyFileRange(from, fromOffset, to, toOffset, length, flags);
  }
  const iovec into{piece, std::min(length, kPiece)};
  const ssize_t got = fromOffset == nullptr ? readHere(from, &into, 1) : readAt(from, &into, 1, *fromOffset);
  const ssize_t put =
      got > 0 ? writeAll(to, static_cast<const char*>(piece), static_cast<size_t>(got), toOffset) : got;
  const int fault = errno;
  ::munmap(piece, kPiece);
  if (put > 0 && fromOffset != nullptr) {
    *fromOffset += put;
  }
  if (put > 0 && toOffset != nullptr) {
    *toOffset += put;
  }
  if (put < got && fromOffset == nullptr) {
    ::lseek(from, std::max<off_t>(put, 0) - got, SEEK_CUR);  // what could not be written was not copied
  }
  errno = fault;
  return put;
}

}  // namespace shift::preload
