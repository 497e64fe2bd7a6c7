#pragma once

#include <pthread.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <atomic>
#include <cstdio>

namespace shift::preload {

/** The functions behind ours: the C library's, or those of a library that is preloaded after this one. */
struct RealCalls {
  ssize_t (*read)(int, void*, size_t);
  ssize_t (*pread)(int, void*, size_t, off_t);
  ssize_t (*readv)(int, const iovec*, int);
  ssize_t (*preadv)(int, const iovec*, int, off_t);
  ssize_t (*preadv2)(int, const iovec*, int, off_t, int);
  ssize_t (*readChecked)(int, void*, size_t, size_t);
  ssize_t (*preadChecked)(int, void*, size_t, off_t, size_t);
  ssize_t (*copyFileRange)(int, off_t*, int, off_t*, size_t, unsigned);
  int (*open)(const char*, int, ...);
  int (*openat)(int, const char*, int, ...);
  int (*openChecked)(const char*, int);
  int (*openatChecked)(int, const char*, int);
  int (*creat)(const char*, mode_t);
  int (*dup2)(int, int);
  int (*dup3)(int, int, int);
  int (*close)(int);
  int (*closeRange)(unsigned, unsigned, int);
  int (*fclose)(FILE*);
  FILE* (*freopen)(const char*, const char*, FILE*);
  int (*socket)(int, int, int);
  int (*pthreadCreate)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
};

namespace real_calls {
extern constinit RealCalls calls;
extern constinit std::atomic<bool> areFound;
void find();
}  // namespace real_calls

/** Found when the library is loaded, or at the first call of a library whose start comes before. */
inline const RealCalls& real() {
  if (!real_calls::areFound.load(std::memory_order_acquire)) {
    real_calls::find();
  }
  return real_calls::calls;
}

}  // namespace shift::preload
