#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "preload/Process.h"

namespace shift::preload {

/**
 * The client, from libshift.so, which is loaded when the first file below the prefix is read: programs that
 * read none do not pay for it. One client per process. No call fails loudly: what cannot be had here is read
 * from the kernel.
 */

/**
 * Whether there is a client; makes it if there is none yet. While one thread does, the others are told that
 * there is none: nobody waits. Where it cannot be made, that is said once.
 */
bool startTier(Process& process);

/** Opens the file that `fd` stands for, and whose absolute path is this. A handle, or 0. */
std::int64_t openInTier(Process& process, int fd, const char* path);

void closeInTier(Process& process, std::int64_t handle);

/** As pread(2) and preadv(2), or negative: read it elsewhere. errno is left alone. */
ssize_t readInTier(Process& process, std::int64_t handle, void* into, std::size_t count, std::int64_t offset);
ssize_t readInTier(Process& process, std::int64_t handle, const iovec* into, int count, std::int64_t offset);

}  // namespace shift::preload
