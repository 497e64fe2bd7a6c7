/*
 * What the library shows in place of the C library's functions that read. A read of another descriptor goes
 * on to the function behind with nothing but mayBeServed() before it.
 */

#include <sys/uio.h>
#include <unistd.h>

#include "preload/CopyRange.h"
#include "preload/Interposed.h"
#include "preload/Reads.h"
#include "preload/RealCalls.h"
#include "preload/Served.h"

using shift::preload::mayBeServed;
using shift::preload::real;

/* Names as the C library has them. NOLINTBEGIN(readability-identifier-naming, bugprone-reserved-identifier)
 */

extern "C" {

SHIFT_INTERPOSED ssize_t read(int fd, void* into, size_t count) {
  if (!mayBeServed(fd)) {
    return real().read(fd, into, count);
  }
  const iovec buffer{into, count};
  return shift::preload::readHere(fd, &buffer, 1);
}

SHIFT_INTERPOSED ssize_t pread(int fd, void* into, size_t count, off_t offset) {
  if (!mayBeServed(fd)) {
    return real().pread(fd, into, count, offset);
  }
  const iovec buffer{into, count};
  return shift::preload::readAt(fd, &buffer, 1, offset);
}

SHIFT_INTERPOSED ssize_t readv(int fd, const iovec* into, int count) {
  return mayBeServed(fd) ? shift::preload::readHere(fd, into, count) : real().readv(fd, into, count);
}

SHIFT_INTERPOSED ssize_t preadv(int fd, const iovec* into, int count, off_t offset) {
  return mayBeServed(fd) ? shift::preload::readAt(fd, into, count, offset)
                         : real().preadv(fd, into, count, offset);
}

/** With flags it asks for something of the kernel that the tier does not know. Offset -1: from where it is.
 */
SHIFT_INTERPOSED ssize_t preadv2(int fd, const iovec* into, int count, off_t offset, int flags) {
  if (flags != 0 || !mayBeServed(fd)) {
    return real().preadv2(fd, into, count, offset, flags);
  }
  return offset == -1 ? readv(fd, into, count) : preadv(fd, into, count, offset);
}

/** What compilers call in place of read() and pread() where they know the buffer's size. */
SHIFT_INTERPOSED ssize_t __read_chk(int fd, void* into, size_t count, size_t size) {
  return count > size ? real().readChecked(fd, into, count, size) : read(fd, into, count);
}

SHIFT_INTERPOSED ssize_t __pread_chk(int fd, void* into, size_t count, off_t offset, size_t size) {
  return count > size ? real().preadChecked(fd, into, count, offset, size) : pread(fd, into, count, offset);
}

SHIFT_INTERPOSED ssize_t copy_file_range(int from, off_t* fromOffset, int to, off_t* toOffset, size_t length,
                                         unsigned flags) {
  return mayBeServed(from) ? shift::preload::copyRange(from, fromOffset, to, toOffset, length, flags)
                           : real().copyFileRange(from, fromOffset, to, toOffset, length, flags);
}

/* off_t has 64 bits: these are other names for the same. */
static_assert(sizeof(off_t) == 8);
SHIFT_INTERPOSED ssize_t pread64(int fd, void* into, size_t count, off64_t offset)
    __attribute__((alias("pread")));
SHIFT_INTERPOSED ssize_t __pread64_chk(int fd, void* into, size_t count, off64_t offset, size_t size)
    __attribute__((alias("__pread_chk")));
SHIFT_INTERPOSED ssize_t preadv64(int fd, const iovec* into, int count, off64_t offset)
    __attribute__((alias("preadv")));
SHIFT_INTERPOSED ssize_t preadv64v2(int fd, const iovec* into, int count, off64_t offset, int flags)
    __attribute__((alias("preadv2")));
}

/* NOLINTEND(readability-identifier-naming, bugprone-reserved-identifier) */
