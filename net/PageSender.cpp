#include "net/PageSender.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "common/ByteSize.h"

namespace shift::net {
namespace {

/** As much as anybody may ask for unless the administrator said otherwise. A pipe holds a page in each of its
 * places, however little of the page is sent. */
constexpr int kPipeBytes = kMiB;

}  // namespace

Result<PageSender> PageSender::open() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    return Error::fromErrno(errno, "making a pipe");
  }
  FileDescriptor out(ends[0]);
  FileDescriptor in(ends[1]);
  ::fcntl(in.get(), F_SETPIPE_SZ, kPipeBytes);  // if it may not be larger, it is as large as it is
  const int capacity = ::fcntl(in.get(), F_GETPIPE_SZ);
  FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (capacity <= 0 || !nowhere.valid()) {
    return Error::fromErrno(errno, "setting up a pipe");
  }
  return PageSender(std::move(in), std::move(out), std::move(nowhere), static_cast<std::size_t>(capacity));
}

PageSender::PageSender(FileDescriptor in, FileDescriptor out, FileDescriptor nowhere, std::size_t capacity)
    : in_(std::move(in)), out_(std::move(out)), nowhere_(std::move(nowhere)), capacity_(capacity) {}

ssize_t PageSender::send(int socket, std::span<const iovec> memory) {
  ssize_t left = ::vmsplice(in_.get(), memory.data(), memory.size(), SPLICE_F_NONBLOCK);
  if (left < 0) {
    return -1;
  }
  ssize_t sent = 0;
  int fault = 0;
  while (left > 0) {
    const ssize_t moved =
        ::splice(out_.get(), nullptr, socket, nullptr, static_cast<std::size_t>(left), SPLICE_F_NONBLOCK);
    if (moved < 0 && errno == EINTR) {
      continue;
    }
    if (moved <= 0) {
      fault = moved < 0 ? errno : EPIPE;
      break;
    }
    sent += moved;
    left -= moved;
  }
  while (left > 0) {
    const ssize_t dropped =
        ::splice(out_.get(), nullptr, nowhere_.get(), nullptr, static_cast<std::size_t>(left), 0);
    if (dropped > 0) {
      left -= dropped;
    } else if (dropped == 0 || errno != EINTR) {
      in_ = FileDescriptor();  // what is left would be sent to somebody else: nothing more goes this way
      break;
    }
  }
  if (sent > 0 || fault == 0) {
    return sent;
  }
  errno = fault;
  return -1;
}

}  // namespace shift::net
