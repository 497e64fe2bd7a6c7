#pragma once

#include <pthread.h>

#include <cerrno>

namespace shift::preload {

/** Whether the calling thread works for the library: what it reads, opens and closes is nobody else's. */
extern constinit thread_local bool threadIsInside __attribute__((tls_model("initial-exec")));

/**
 * For the time of a call into the client. Keeps errno, and keeps the thread from being cancelled in there:
 * C++ frames that must not be unwound lie above this one. What calls it is a cancellation point, as read(2)
 * is.
 */
class Inside {
 public:
  Inside() : errno_(errno), was_(threadIsInside) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelState_);
    threadIsInside = true;
  }
  ~Inside() {
    threadIsInside = was_;
    pthread_setcancelstate(cancelState_, nullptr);
    errno = errno_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  const int errno_;
  const bool was_;
  int cancelState_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace shift::preload
