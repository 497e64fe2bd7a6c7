#pragma once

#include <sys/types.h>
#include <sys/uio.h>

namespace shift::preload {

/**
 * The reads of a descriptor that may be a served one. Each does what the system call of its name does, with
 * the same result and the same file offset afterwards; the bytes come through the tier if they can.
 */
ssize_t readAt(int fd, const iovec* into, int count, off_t offset);
ssize_t readHere(int fd, const iovec* into, int count);

}  // namespace shift::preload
