#include "shift-node/server/Output.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>

#include "common/ByteSize.h"

namespace shift::node {
namespace {

constexpr std::size_t kBuffersPerSend = 64;
/** More is handed to the kernel in several calls: a client takes the first bytes while the next are copied,
 * and both find them in the processor's cache. */
constexpr std::size_t kMostPerCopy = 512 * kKiB;

/** Gathers buffers of about `most` bytes for one system call, leaving out the first `skip` bytes, which are
 * sent already. */
class BufferList {
 public:
  BufferList(std::size_t skip, std::size_t most) : skip_(skip), most_(most) {}
  bool full() const { return count_ == buffers_.size() || bytes_ >= most_; }
  void add(const void* data, std::size_t size) {
    const std::size_t skipped = std::min(skip_, size);
    skip_ -= skipped;
    if (skipped < size && !full()) {
      buffers_[count_++] = {const_cast<char*>(static_cast<const char*>(data)) + skipped, size - skipped};
      bytes_ += size - skipped;
    }
  }
  std::span<iovec> buffers() { return {buffers_.data(), count_}; }

 private:
  std::size_t skip_;
  const std::size_t most_;
  std::array<iovec, kBuffersPerSend> buffers_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

Output::~Output() {
  if (!lent_.empty()) {
    static std::mutex mutex;
    static auto* const keptForGood = new std::vector<std::deque<Lent>>;
    const std::lock_guard lock(mutex);
    keptForGood->push_back(std::move(lent_));
  }
}

void Output::put(OutgoingFrame frame) {
  std::size_t size = frame.header.size();
  for (const AnswerSlice& slice : frame.slices) {
    size += slice.length;
  }
  unsentBytes_ += size;
  frames_.push_back({std::move(frame), size});
}

Output::Outcome Output::send(int socket) {
  while (!frames_.empty()) {
    const ssize_t sent = frames_.front().frame.loan ? sendPages(socket) : sendCopies(socket);
    if (sent >= 0) {
      advance(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      return Outcome::kBlocked;
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return Outcome::kGone;
    } else if (errno != EINTR) {
      return Outcome::kFailed;
    }
  }
  return Outcome::kAll;
}

ssize_t Output::sendCopies(int socket) {
  BufferList list(frontSent_, kMostPerCopy);
  for (const Unsent& unsent : frames_) {
    if (list.full() || unsent.frame.loan) {
      break;
    }
    list.add(unsent.frame.header.data(), unsent.frame.header.size());
    for (const AnswerSlice& slice : unsent.frame.slices) {
      list.add(slice.bytes().data(), slice.length);
    }
  }
  msghdr message{};
  message.msg_iov = list.buffers().data();
  message.msg_iovlen = list.buffers().size();
  return ::sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t Output::sendPages(int socket) {
  OutgoingFrame& front = frames_.front().frame;
  if (frontSent_ < front.header.size()) {
    return ::send(socket, front.header.data() + frontSent_, front.header.size() - frontSent_,
                  MSG_NOSIGNAL | MSG_MORE);
  }
  BufferList list(frontSent_ - front.header.size(), pages_->most());
  for (const AnswerSlice& slice : front.slices) {
    list.add(slice.bytes().data(), slice.length);
  }
  const ssize_t sent = pages_->send(socket, list.buffers());
  if (sent < 0 && (errno == EINVAL || errno == ENOSYS || errno == EPERM) &&
      frontSent_ == front.header.size()) {
    front.loan = {};  // where the system cannot lend or forbids it, it is copied
    return 0;
  }
  return sent;
}

void Output::advance(std::size_t sent) {
  unsentBytes_ -= sent;
  for (frontSent_ += sent; !frames_.empty() && frontSent_ >= frames_.front().size;) {
    frontSent_ -= frames_.front().size;
    ++framesSent_;
    if (frames_.front().frame.loan) {
      lend(framesSent_, frames_.front().frame);
    }
    frames_.pop_front();
  }
}

void Output::lend(std::uint64_t number, OutgoingFrame& frame) {
  lent_.push_back({number, std::move(frame.slices), std::move(frame.loan)});
}

Status Output::took(std::int64_t frames) {
  if (frames < 0 || static_cast<std::uint64_t>(frames) > framesSent_) {
    return Error{ErrorCode::kCorrupt, "malformed frame: the client has taken what was never sent"};
  }
  saysWhatItTook_ = true;
  while (!lent_.empty() && lent_.front().number <= static_cast<std::uint64_t>(frames)) {
    lent_.pop_front();
  }
  return {};
}

void Output::dropUnsent() {
  if (!frames_.empty() && frames_.front().frame.loan) {  // perhaps in part with the kernel
    lend(framesSent_ + 1, frames_.front().frame);
  }
  frames_.clear();
  unsentBytes_ = 0;
}

void Output::clientIsGone() {
  dropUnsent();
  lent_.clear();
}

}  // namespace shift::node
