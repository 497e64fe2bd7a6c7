#include "preload/Reads.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "preload/RealCalls.h"
#include "preload/Served.h"
#include "preload/Tier.h"

namespace shift::preload {
namespace {

/** What one system call reads at most. */
constexpr size_t kMaxRead = 0x7ffff000;

/** 0 also for what the kernel is to refuse. */
size_t sizeOf(const iovec* into, int count) {
  if (count < 0 || count > IOV_MAX) {
    return 0;
  }
  size_t size = 0;
  for (int i = 0; i < count; ++i) {
    if (into[i].iov_len > SSIZE_MAX - size) {
      return 0;
    }
    size += into[i].iov_len;
  }
  return std::min(size, kMaxRead);
}

/** One buffer. What the tier does not give, the kernel does. */
ssize_t fillOne(Process& process, int fd, const ServedFile& file, char* into, size_t count, off_t offset) {
  const ssize_t served = readInTier(process, file.handle, into, count, offset);
  const size_t done = served > 0 ? static_cast<size_t>(served) : 0;
  if (done == count) {
    return served;
  }
  const ssize_t rest = real().pread(fd, into + done, count - done, offset + static_cast<off_t>(done));
  return rest >= 0 ? rest + static_cast<ssize_t>(done) : (done > 0 ? served : -1);
}

/** `limit` bytes into the buffers, which hold no fewer. Fewer only at the end of the file, or at a fault. */
ssize_t fill(Process& process, int fd, const ServedFile& file, const iovec* into, int count, size_t limit,
             off_t offset) {
  size_t done = 0;
  if (count > 1 && sizeOf(into, count) == limit) {
    const ssize_t served = readInTier(process, file.handle, into, count, offset);
    done = served > 0 ? static_cast<size_t>(served) : 0;
  }
  size_t begin = 0;  // of the buffer, within all of them
  for (int i = 0; i < count && done < limit; begin += into[i].iov_len, ++i) {
    const size_t end = std::min(begin + into[i].iov_len, limit);
    if (end <= done) {
      continue;
    }
    const size_t wanted = end - done;
    char* const place = static_cast<char*>(into[i].iov_base) + (done - begin);
    const ssize_t got = fillOne(process, fd, file, place, wanted, offset + static_cast<off_t>(done));
    if (got < 0) {
      return done > 0 ? static_cast<ssize_t>(done) : -1;
    }
    done += static_cast<size_t>(got);
    if (static_cast<size_t>(got) < wanted) {
      break;
    }
  }
  return static_cast<ssize_t>(done);
}

size_t leftOf(const ServedFile& file, off_t offset, size_t wanted) {
  return offset >= file.identity.size ? 0
                                      : std::min(wanted, static_cast<size_t>(file.identity.size - offset));
}

}  // namespace

ssize_t readAt(int fd, const iovec* into, int count, off_t offset) {
  Process* const here = process();
  ServedFile file;
  const size_t wanted = sizeOf(into, count);
  if (wanted == 0 || offset < 0 || here == nullptr || !findServed(*here, fd, file)) {
    return real().preadv(fd, into, count, offset);
  }
  pthread_testcancel();
  return fill(*here, fd, file, into, count, leftOf(file, offset, wanted), offset);
}

/**
 * The file offset stays the kernel's, which shares it with duplicates and with other processes. A read takes
 * its range by moving the offset, which is atomic, and then reads what it took: two readers never get the
 * same bytes, in whatever process they are.
 */
ssize_t readHere(int fd, const iovec* into, int count) {
  Process* const here = process();
  ServedFile file;
  const size_t wanted = sizeOf(into, count);
  if (wanted == 0 || here == nullptr || !findServed(*here, fd, file)) {
    return real().readv(fd, into, count);
  }
  pthread_testcancel();
  const off_t guess = ::lseek(fd, 0, SEEK_CUR);
  const size_t taken = guess < 0 ? 0 : leftOf(file, guess, wanted);
  if (taken == 0) {
    return real().readv(fd, into, count);
  }
  const off_t end = ::lseek(fd, static_cast<off_t>(taken), SEEK_CUR);
  if (end < 0) {
    return real().readv(fd, into, count);
  }
  const off_t begin = end - static_cast<off_t>(taken);
  const size_t there = leftOf(file, begin, taken);  // less than taken if another reader was quicker
  const ssize_t got = there == 0 ? 0 : fill(*here, fd, file, into, count, there, begin);
  const off_t unread = static_cast<off_t>(taken) - std::max<off_t>(got, 0);
  if (unread > 0) {
    const int fault = errno;
    ::lseek(fd, -unread, SEEK_CUR);
    errno = fault;
  }
  return got;
}

}  // namespace shift::preload
