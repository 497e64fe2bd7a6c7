/*
 * What the library shows in place of the C library's functions that give a number to a file or take it away.
 * They do what they always did. Beside that they keep the table fresh, and keep the program's descriptors and
 * the client's out of each other's way.
 */

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "preload/Inside.h"
#include "preload/Interposed.h"
#include "preload/OwnDescriptors.h"
#include "preload/RealCalls.h"
#include "preload/Served.h"

using shift::preload::disown;
using shift::preload::isOwn;
using shift::preload::real;
using shift::preload::release;
using shift::preload::threadIsInside;

namespace {

/** A new descriptor: the client's own, or one that the program was given by the kernel. */
int given(int fd) {
  if (fd < 0) {
    return fd;
  }
  if (threadIsInside) {
    return shift::preload::moveOut(fd);
  }
  disown(fd);
  release(fd);
  return fd;
}

bool hasMode(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

/** Before a program closes a number: false if it is none of its own, as the kernel would say of one not open.
 */
bool mayBeClosed(int fd) {
  if (threadIsInside) {
    disown(fd);
    return true;
  }
  if (isOwn(fd)) {
    errno = EBADF;
    return false;
  }
  release(fd);
  return true;
}

/** The number that a program wants for another file; EBUSY is what dup2(2) knows for one in use elsewhere. */
bool mayBeReplaced(int fd) {
  if (isOwn(fd)) {
    errno = EBUSY;
    return false;
  }
  release(fd);
  return true;
}

/** All but the client's own: what lies between them is closed piece by piece. */
int closeRangeButOwn(unsigned first, unsigned last, int flags) {
  while (first <= last) {
    const int own = shift::preload::nextOwn(first);
    const bool isWithin = own >= 0 && static_cast<unsigned>(own) <= last;
    if (!isWithin) {
      return real().closeRange(first, last, flags);
    }
    const auto barrier = static_cast<unsigned>(own);
    if (barrier > first && real().closeRange(first, barrier - 1, flags) != 0) {
      return -1;
    }
    first = barrier + 1;
  }
  return 0;
}

struct ThreadStart {
  void* (*body)(void*);
  void* argument;
};

void* runInside(void* raw) {
  const ThreadStart start = *static_cast<ThreadStart*>(raw);
  std::free(raw);
  threadIsInside = true;
  return start.body(start.argument);
}

}  // namespace

/* Names as the C library has them. NOLINTBEGIN(readability-identifier-naming, bugprone-reserved-identifier)
 */

extern "C" {

SHIFT_INTERPOSED int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = hasMode(flags) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return given(real().open(path, flags, mode));
}

SHIFT_INTERPOSED int openat(int directory, const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = hasMode(flags) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return given(real().openat(directory, path, flags, mode));
}

/** What compilers call in place of open() and openat() without a mode. */
SHIFT_INTERPOSED int __open_2(const char* path, int flags) {
  return given(real().openChecked(path, flags));
}

SHIFT_INTERPOSED int __openat_2(int directory, const char* path, int flags) {
  return given(real().openatChecked(directory, path, flags));
}

SHIFT_INTERPOSED int creat(const char* path, mode_t mode) {
  return given(real().creat(path, mode));
}

SHIFT_INTERPOSED int socket(int domain, int type, int protocol) noexcept {
  return given(real().socket(domain, type, protocol));
}

/** With the same number twice nothing is replaced. */
SHIFT_INTERPOSED int dup2(int from, int to) noexcept {
  return from != to && !mayBeReplaced(to) ? -1 : real().dup2(from, to);
}

SHIFT_INTERPOSED int dup3(int from, int to, int flags) noexcept {
  return from != to && !mayBeReplaced(to) ? -1 : real().dup3(from, to, flags);
}

SHIFT_INTERPOSED int close(int fd) {
  return mayBeClosed(fd) ? real().close(fd) : -1;
}

SHIFT_INTERPOSED int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (first > last || (flags & CLOSE_RANGE_CLOEXEC) != 0) {
    return real().closeRange(first, last, flags);  // the client's own are not inherited by programs anyway
  }
  shift::preload::releaseRange(first, last);
  return closeRangeButOwn(first, last, flags);
}

SHIFT_INTERPOSED void closefrom(int first) noexcept {
  const auto begin = static_cast<unsigned>(first < 0 ? 0 : first);
  if (close_range(begin, ~0U, 0) == 0) {
    return;
  }
  // Kernels before 5.9 do not have it.
  const long limit = sysconf(_SC_OPEN_MAX);
  for (int fd = static_cast<int>(begin); fd < limit; ++fd) {
    if (!isOwn(fd)) {
      real().close(fd);
    }
  }
}

/** The C library closes by itself what a stream held. */
SHIFT_INTERPOSED int fclose(FILE* stream) {
  release(fileno(stream));
  return real().fclose(stream);
}

SHIFT_INTERPOSED FILE* freopen(const char* path, const char* mode, FILE* stream) {
  release(fileno(stream));
  return real().freopen(path, mode, stream);
}

/** Threads that the client makes are the client's. */
SHIFT_INTERPOSED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                                    void* argument) noexcept {
  auto* const start = threadIsInside ? static_cast<ThreadStart*>(std::malloc(sizeof(ThreadStart))) : nullptr;
  if (start == nullptr) {
    return real().pthreadCreate(thread, attributes, body, argument);
  }
  *start = {body, argument};
  const int fault = real().pthreadCreate(thread, attributes, runInside, start);
  if (fault != 0) {
    std::free(start);
  }
  return fault;
}

/* off_t has 64 bits: these are other names for the same. */
SHIFT_INTERPOSED int open64(const char* path, int flags, ...) __attribute__((alias("open")));
SHIFT_INTERPOSED int openat64(int directory, const char* path, int flags, ...)
    __attribute__((alias("openat")));
SHIFT_INTERPOSED int __open64_2(const char* path, int flags) __attribute__((alias("__open_2")));
SHIFT_INTERPOSED int __openat64_2(int directory, const char* path, int flags)
    __attribute__((alias("__openat_2")));
SHIFT_INTERPOSED int creat64(const char* path, mode_t mode) __attribute__((alias("creat")));
SHIFT_INTERPOSED FILE* freopen64(const char* path, const char* mode, FILE* stream)
    __attribute__((alias("freopen")));
}

/* NOLINTEND(readability-identifier-naming, bugprone-reserved-identifier) */
