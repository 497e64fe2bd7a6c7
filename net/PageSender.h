#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <span>

#include "common/FileDescriptor.h"
#include "common/Result.h"

namespace shift::net {

/**
 * Sends memory without copying it: by way of a pipe, the kernel takes references to the pages themselves.
 * They must not change until the peer says that it has received what is on them, or is gone. That the socket
 * took them, or that they are acknowledged, is not enough: on one host the receiver copies from these very
 * pages. One thread, which must not mind SIGPIPE.
 */
class PageSender {
 public:
  /** Fails where the kernel has no pipe to give. */
  static Result<PageSender> open();

  /** No more than this goes in one call. */
  std::size_t most() const { return capacity_; }

  /** As sendmsg(2) on a socket that does not block: the number of bytes, fewer than asked for where there is
   * no more room; or -1, and errno says why. */
  ssize_t send(int socket, std::span<const iovec> memory);

 private:
  PageSender(FileDescriptor in, FileDescriptor out, FileDescriptor nowhere, std::size_t capacity);

  FileDescriptor in_, out_;  // of the pipe, which is empty between calls
  FileDescriptor nowhere_;   // takes what the socket had no room for
  std::size_t capacity_;
};

}  // namespace shift::net
