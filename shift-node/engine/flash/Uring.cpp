#include "shift-node/engine/flash/Uring.h"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>

#include "common/ByteSize.h"
#include "common/Log.h"

namespace shift::node {
namespace {

/** The kernel takes at most this much in one registered buffer. */
constexpr std::size_t kLargestRegistered = kGiB;

/** The thread asks for completions itself, so the kernel need not interrupt it. Older kernels know less. */
constexpr unsigned kFlagChoices[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
                                     IORING_SETUP_COOP_TASKRUN, 0};

}  // namespace

Uring::~Uring() {
  if (isOpen_) {
    io_uring_queue_exit(&ring_);
  }
}

int Uring::open() {
  int error = 0;
  for (const unsigned flags : kFlagChoices) {
    // One entry more than requests: the wake-up read is always in the ring.
    error = -io_uring_queue_init(limits_.requests + 1, &ring_, flags);
    if (error != EINVAL) {
      break;
    }
  }
  isOpen_ = error == 0;
  return error;
}

bool Uring::registerMemory(std::span<std::byte> memory) {
  std::vector<iovec> parts;
  for (std::size_t at = 0; at < memory.size(); at += kLargestRegistered) {
    parts.push_back({memory.data() + at, std::min(kLargestRegistered, memory.size() - at)});
  }
  if (parts.empty()) {
    return false;
  }
  const int result = io_uring_register_buffers(&ring_, parts.data(), static_cast<unsigned>(parts.size()));
  if (result != 0) {
    logWarning(Error::fromErrno(-result, "registering " + formatByteSize(static_cast<double>(memory.size())) +
                                             " with io_uring (raise the locked-memory limit)")
                   .message);
    return false;
  }
  for (const iovec& part : parts) {
    auto* const begin = static_cast<std::byte*>(part.iov_base);
    registered_.push_back({begin, begin + part.iov_len});
  }
  return true;
}

void Uring::wakeBy(int eventfd) {
  wake_ = eventfd;
  armWake();
}

int Uring::signalTo(int eventfd) {
  return -io_uring_register_eventfd(&ring_, eventfd);
}

void Uring::add(IoRequest request) {
  waiting_.push_back(new IoRequest(std::move(request)));
}

void Uring::submit() {
  prepareWaiting();
  if (io_uring_sq_ready(&ring_) > 0) {
    io_uring_submit(&ring_);
  }
}

void Uring::submitAndWait() {
  prepareWaiting();
  io_uring_submit_and_wait(&ring_, 1);
  reap();
}

void Uring::poll() {
  io_uring_get_events(&ring_);
  reap();
}

std::size_t Uring::answer(const std::function<void()>& refill) {
  for (const auto& [request, error] : completed_) {
    submit();
    request->done(error);
    delete request;
    refill();
  }
  const std::size_t answered = completed_.size();
  completed_.clear();
  return answered;
}

bool Uring::hasRoomFor(const IoRequest& request) const {
  return inFlight_ == 0 || (inFlight_ < limits_.requests && bytesInFlight_ + request.length <= limits_.bytes);
}

void Uring::prepareWaiting() {
  while (!waiting_.empty() && hasRoomFor(*waiting_.front())) {
    prepare(waiting_.front());
    ++inFlight_;
    bytesInFlight_ += waiting_.front()->length;
    waiting_.pop_front();
  }
}

void Uring::prepare(IoRequest* request) {
  io_uring_sqe* const entry = io_uring_get_sqe(&ring_);  // never null: inFlight_ is bounded by the ring
  const auto home = std::find_if(registered_.begin(), registered_.end(), [&](const Registered& part) {
    return request->data >= part.begin && request->data + request->length <= part.end;
  });
  const bool isRead = request->kind == IoKind::kRead;
  if (home != registered_.end()) {
    const int index = static_cast<int>(home - registered_.begin());
    isRead
        ? io_uring_prep_read_fixed(entry, descriptor_, request->data, request->length, request->offset, index)
        : io_uring_prep_write_fixed(entry, descriptor_, request->data, request->length, request->offset,
                                    index);
  } else {
    isRead ? io_uring_prep_read(entry, descriptor_, request->data, request->length, request->offset)
           : io_uring_prep_write(entry, descriptor_, request->data, request->length, request->offset);
  }
  io_uring_sqe_set_data(entry, request);
}

void Uring::armWake() {
  io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
  io_uring_prep_read(entry, wake_, &wakeValue_, sizeof wakeValue_, 0);
  io_uring_sqe_set_data(entry, nullptr);
}

void Uring::reap() {
  unsigned head = 0;
  unsigned seen = 0;
  bool isWoken = false;
  io_uring_cqe* entry = nullptr;
  io_uring_for_each_cqe(&ring_, head, entry) {
    ++seen;
    auto* const request = static_cast<IoRequest*>(io_uring_cqe_get_data(entry));
    if (request == nullptr) {
      isWoken = true;
      continue;
    }
    --inFlight_;
    bytesInFlight_ -= request->length;
    if (entry->res == -EINTR || entry->res == -EAGAIN) {
      waiting_.push_front(request);
      continue;
    }
    const bool isWhole = entry->res == static_cast<int>(request->length);
    completed_.emplace_back(request, isWhole ? 0 : entry->res < 0 ? -entry->res : EIO);
  }
  io_uring_cq_advance(&ring_, seen);
  if (isWoken) {
    armWake();
  }
}

}  // namespace shift::node
